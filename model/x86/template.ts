import { Code, Encoder, Instruction, MemoryOperand, Register } from 'iced-x86';
import type { Reg } from './register.ts';
import { AH } from './register.ts';

/**
 * The encoding of one instruction with its numbers left out: the bytes, and where its displacement and
 * immediate go. iced-x86 encodes each shape once; emitting one is a copy and two patches.
 */
export interface Template {
  readonly bytes: Uint8Array;
  /** Offset of the displacement and its size in bytes (0 when there is none). */
  readonly dispAt: number;
  readonly dispSize: number;
  readonly immAt: number;
  readonly immSize: number;
}

/** A memory operand's shape: base register (undefined: RIP-relative) and the displacement's width in bytes. */
export interface MemoryShape {
  readonly base: Reg | undefined;
  readonly dispSize: 1 | 4;
  readonly gs?: boolean;
}

type Bytes = 1 | 2 | 4 | 8;

/** iced numbers the registers of each width in hardware order, with `ah ch dh bh` between `bl` and `spl`. */
function icedRegister(reg: Reg, width: Bytes = 8): Register {
  if (width === 8) return Register.RAX + reg;
  if (width === 4) return Register.EAX + reg;
  if (width === 2) return Register.AX + reg;
  if (reg >= AH) return Register.AH + reg - AH;
  return reg < 4 ? Register.AL + reg : Register.SPL + reg - 4;
}

/** Any displacement that needs its full width, and is not special to the encoder. */
const SAMPLE_DISP = { 1: 0x10n, 4: 0x12345678n } as const;

function icedMemory(shape: MemoryShape): MemoryOperand {
  const segment = shape.gs === true ? Register.GS : Register.None;
  if (shape.base === undefined)
    return new MemoryOperand(Register.RIP, Register.None, 1, SAMPLE_DISP[4], 8, false, segment);
  return new MemoryOperand(
    icedRegister(shape.base),
    Register.None,
    1,
    SAMPLE_DISP[shape.dispSize],
    shape.dispSize === 1 ? 1 : 8,
    false,
    segment,
  );
}

/** Encodes one instruction and frees it. */
function encode(instruction: Instruction): Template {
  const encoder = new Encoder(64);
  const length = encoder.encode(instruction, 0n);
  const offsets = encoder.getConstantOffsets();
  const template = {
    bytes: encoder.takeBuffer().slice(0, length),
    dispAt: offsets.displacementOffset,
    dispSize: offsets.displacementSize,
    immAt: offsets.immediateOffset,
    immSize: offsets.immediateSize,
  };
  offsets.free();
  encoder.free();
  instruction.free();
  return template;
}

export const template = {
  plain: (code: Code): Template => encode(Instruction.create(code)),
  reg: (code: Code, reg: Reg, width: Bytes = 8): Template =>
    encode(Instruction.createReg(code, icedRegister(reg, width))),
  regReg: (code: Code, a: Reg, b: Reg, width: Bytes = 8): Template =>
    encode(Instruction.createRegReg(code, icedRegister(a, width), icedRegister(b, width))),
  regMem: (code: Code, reg: Reg, memory: MemoryShape, width: Bytes = 8): Template =>
    encode(Instruction.createRegMem(code, icedRegister(reg, width), icedMemory(memory))),
  memReg: (code: Code, memory: MemoryShape, reg: Reg, width: Bytes = 8): Template =>
    encode(Instruction.createMemReg(code, icedMemory(memory), icedRegister(reg, width))),
  memImm: (code: Code, memory: MemoryShape): Template => encode(Instruction.createMemI32(code, icedMemory(memory), 0x11)),
  mem: (code: Code, memory: MemoryShape): Template => encode(Instruction.createMem(code, icedMemory(memory))),
  regImm: (code: Code, reg: Reg, width: Bytes = 8): Template =>
    encode(Instruction.createRegI32(code, icedRegister(reg, width), 0x11)),
  regImm64: (code: Code, reg: Reg): Template => encode(Instruction.createRegU64(code, icedRegister(reg), 0x1122334455667788n)),
  imm: (code: Code): Template => encode(Instruction.createI32(code, 0x11)),
};

/** A relative branch is always written with the width that its opcode has, never shortened. */
export function branchTemplate(code: Code, immSize: 1 | 4): Template {
  const t = encode(Instruction.createBranch(code, 0n));
  return { ...t, immAt: t.bytes.length - immSize, immSize };
}

import { type Code, Encoder, Instruction, MemoryOperand, Register } from 'iced-x86';
import type { Reg } from './register.ts';
import { AH } from './register.ts';

/**
 * The encoding of one instruction with its numbers left out: the bytes, and where its displacement and
 * immediate go. iced-x86 encodes each shape once, when it is first needed; emitting one afterwards is a copy
 * and two patches.
 *
 * Twelve bytes are enough for every shape here; the architecture allows fifteen.
 */
export interface Template {
  /** Bytes of the instruction, and the bytes themselves, four to a number, low byte first. */
  readonly length: number;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  /** Offset of the displacement and its size in bytes (0 when there is none). */
  readonly dispAt: number;
  readonly dispSize: number;
  readonly immAt: number;
  /** Bytes, at most 4 sign-extended; 8 only for the 64-bit load. */
  readonly immSize: number;
}

export type TemplateBytes = 1 | 2 | 4 | 8;

/** iced numbers the registers of each width in hardware order, with `ah ch dh bh` between `bl` and `spl`. */
export function icedRegister(reg: Reg, width: TemplateBytes): Register {
  if (width === 8) return Register.RAX + reg;
  if (width === 4) return Register.EAX + reg;
  if (width === 2) return Register.AX + reg;
  if (reg >= AH) return Register.AH + reg - AH;
  return reg < 4 ? Register.AL + reg : Register.SPL + reg - 4;
}

/**
 * A displacement that needs its full width, and is not special to the encoder: 0 would be left out, and a
 * small one shortened to a byte. rsp and r12 as base get their SIB byte, rbp and r13 need the displacement
 * anyway.
 */
export function icedMemory(base: Reg, byteDisp: boolean): MemoryOperand {
  const disp = byteDisp ? 0x10n : 0x12345678n;
  return new MemoryOperand(
    icedRegister(base, 8),
    Register.None,
    1,
    disp,
    byteDisp ? 1 : 8,
    false,
    Register.None,
  );
}

/** `disp(base, index, 8)`. */
export function icedIndexed(base: Reg, index: Reg): MemoryOperand {
  const [of, by] = [icedRegister(base, 8), icedRegister(index, 8)];
  return new MemoryOperand(of, by, 8, 0x10n, 1, false, Register.None);
}

/** Encodes one instruction and frees it. */
export function encode(instruction: Instruction): Template {
  const encoder = new Encoder(64);
  const length = encoder.encode(instruction, 0n);
  const offsets = encoder.getConstantOffsets();
  const bytes = new DataView(new ArrayBuffer(16));
  encoder.takeBuffer().forEach((byte, i) => {
    bytes.setUint8(i, byte);
  });
  const template = {
    length,
    first: bytes.getInt32(0, true),
    second: bytes.getInt32(4, true),
    third: bytes.getInt32(8, true),
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

/**
 * Templates of one opcode, by their registers. The opcode is looked up once: iced's table of codes has five
 * thousand entries and is slow to read.
 */
export interface TemplateFamily {
  readonly code: Code;
  readonly templates: (Template | undefined)[];
}

export const family = (code: Code): TemplateFamily => ({ code, templates: [] });

export function ofReg({ code, templates }: TemplateFamily, reg: Reg): Template {
  return (templates[reg] ??= encode(Instruction.createReg(code, icedRegister(reg, 8))));
}

export function ofRegReg(
  { code, templates }: TemplateFamily,
  a: Reg,
  b: Reg,
  width: TemplateBytes,
): Template {
  return (templates[a * 16 + b] ??= encode(
    Instruction.createRegReg(code, icedRegister(a, width), icedRegister(b, width)),
  ));
}

export function ofRegImm({ code, templates }: TemplateFamily, reg: Reg, width: TemplateBytes): Template {
  return (templates[reg] ??= encode(Instruction.createRegI32(code, icedRegister(reg, width), 0x11)));
}

export function ofRegMem(
  { code, templates }: TemplateFamily,
  reg: Reg,
  base: Reg,
  byteDisp: boolean,
): Template {
  const key = reg * 32 + base * 2 + (byteDisp ? 1 : 0);
  return (templates[key] ??= encode(
    Instruction.createRegMem(code, icedRegister(reg, 8), icedMemory(base, byteDisp)),
  ));
}

export function ofMemReg(
  { code, templates }: TemplateFamily,
  base: Reg,
  byteDisp: boolean,
  reg: Reg,
): Template {
  const key = reg * 32 + base * 2 + (byteDisp ? 1 : 0);
  return (templates[key] ??= encode(
    Instruction.createMemReg(code, icedMemory(base, byteDisp), icedRegister(reg, 8)),
  ));
}

export function ofMemImm({ code, templates }: TemplateFamily, base: Reg, byteDisp: boolean): Template {
  const key = base * 2 + (byteDisp ? 1 : 0);
  return (templates[key] ??= encode(Instruction.createMemI32(code, icedMemory(base, byteDisp), 0x11)));
}

/** With an operand relative to `rip`, always with four bytes of displacement. */
export function ofRegRelative({ code, templates }: TemplateFamily, to: Reg): Template {
  const memory = new MemoryOperand(Register.RIP, Register.None, 1, 0x12345678n, 8, false, Register.None);
  return (templates[to] ??= encode(Instruction.createRegMem(code, icedRegister(to, 8), memory)));
}

/**
 * With a register of four bytes, whose upper half becomes zero; the operand in memory is as wide as the
 * opcode says.
 */
export function ofNarrowMem(
  { code, templates }: TemplateFamily,
  reg: Reg,
  base: Reg,
  byteDisp: boolean,
): Template {
  const key = reg * 32 + base * 2 + (byteDisp ? 1 : 0);
  return (templates[key] ??= encode(
    Instruction.createRegMem(code, icedRegister(reg, 4), icedMemory(base, byteDisp)),
  ));
}

/** `%gs:disp(%rip)`. */
export function ofRegGs({ code, templates }: TemplateFamily, to: Reg): Template {
  const memory = new MemoryOperand(Register.RIP, Register.None, 1, 0x12345678n, 8, false, Register.GS);
  return (templates[to] ??= encode(Instruction.createRegMem(code, icedRegister(to, 8), memory)));
}

/** `%gs:(base)`. */
function icedGs(base: Reg): MemoryOperand {
  return new MemoryOperand(icedRegister(base, 8), Register.None, 1, 0n, 0, false, Register.GS);
}

export function ofGs({ code, templates }: TemplateFamily, base: Reg): Template {
  return (templates[base] ??= encode(Instruction.createMem(code, icedGs(base))));
}

export function ofGsImm({ code, templates }: TemplateFamily, base: Reg): Template {
  return (templates[base] ??= encode(Instruction.createMemI32(code, icedGs(base), 0x11)));
}

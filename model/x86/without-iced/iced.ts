/**
 * The part of iced-x86's interface that the templates use, for a page that cannot carry iced's 800 KB: same
 * names, and the same bytes for what `template.ts` encodes. Anything else throws.
 *
 * Opcodes are in the notation of Intel's manual: `REX.W` · bytes · `+r`, a register in the opcode · `/r` or
 * `/digit`, a ModRM byte · `ib iw id io`, an immediate · `cb cd`, a branch displacement. `MR` at the end: of
 * two registers the first is in ModRM.rm.
 */
export const Code = {
  Push_r64: '50 +r',
  Pop_r64: '58 +r',
  Call_rm64: 'FF /2',
  Mov_rm64_r64: 'REX.W 89 /r MR',
  Mov_rm32_r32: '89 /r MR',
  Test_rm64_r64: 'REX.W 85 /r MR',
  Xor_rm32_r32: '31 /r MR',
  Xor_rm64_r64: 'REX.W 31 /r MR',
  Add_rm64_r64: 'REX.W 01 /r MR',
  Cmp_rm64_r64: 'REX.W 39 /r MR',
  Mov_r64_rm64: 'REX.W 8B /r',
  Mov_r32_rm32: '8B /r',
  Lea_r64_m: 'REX.W 8D /r',
  Sub_r32_rm32: '2B /r',
  Imul_r64_rm64: 'REX.W 0F AF /r',
  Movzx_r32_rm8: '0F B6 /r',
  Movzx_r32_rm16: '0F B7 /r',
  Movsx_r64_rm8: 'REX.W 0F BE /r',
  Movsx_r64_rm16: 'REX.W 0F BF /r',
  Movsxd_r64_rm32: 'REX.W 63 /r',
  Mov_rm64_imm32: 'REX.W C7 /0 id',
  Mov_rm32_imm32: 'C7 /0 id',
  Mov_r32_imm32: 'B8 +r id',
  Mov_r64_imm64: 'REX.W B8 +r io',
  Add_rm64_imm8: 'REX.W 83 /0 ib',
  Add_rm64_imm32: 'REX.W 81 /0 id',
  And_rm64_imm8: 'REX.W 83 /4 ib',
  Sub_rm64_imm8: 'REX.W 83 /5 ib',
  Sub_rm64_imm32: 'REX.W 81 /5 id',
  Cmp_rm64_imm8: 'REX.W 83 /7 ib',
  Cmp_rm32_imm8: '83 /7 ib',
  Rol_rm64_imm8: 'REX.W C1 /0 ib',
  Sar_rm64_imm8: 'REX.W C1 /7 ib',
  Shr_rm64_CL: 'REX.W D3 /5 MR',
  Not_rm64: 'REX.W F7 /2',
  Inc_rm32: 'FF /0',
  Dec_rm32: 'FF /1',
  Call_rel32_64: 'E8 cd',
  Jmp_rel32_64: 'E9 cd',
  Je_rel8_64: '74 cb',
  Je_rel32_64: '0F 84 cd',
  Jne_rel32_64: '0F 85 cd',
  Ja_rel32_64: '0F 87 cd',
  Retnq: 'C3',
  Leaveq: 'C9',
  Pushfq: '9C',
  Popfq: '9D',
  Int3: 'CC',
  Endbr64: 'F3 0F 1E FA',
} as const;

type CodeText = (typeof Code)[keyof typeof Code];

/** First of each width, or alone. The others follow in hardware order, `ah ch dh bh` between `bl` and `spl`. */
export const Register = { None: 0, AL: 1, CL: 2, AH: 5, SPL: 9, AX: 21, EAX: 37, RAX: 53, RIP: 70, GS: 76 };

/** Hardware number of a general-purpose register. */
function hardwareNumber(register: number): number {
  if (register >= Register.AX && register < Register.RAX + 16) return (register - Register.AX) & 15;
  if (register >= Register.SPL && register < Register.AX) return register - Register.SPL + 4;
  if (register >= Register.AL && register < Register.AH) return register - Register.AL;
  throw new Error(`register ${register} has no place in a template`);
}

/** `spl bpl sil dil` exist only with a REX prefix. */
const needsRex = (register: number): boolean => register >= Register.SPL && register < Register.SPL + 4;

class TemplateMemory {
  constructor(
    readonly base: number,
    readonly index: number,
    readonly scale: number,
    readonly displacement: bigint,
    /** 0, none, 1, a byte, or 8, which takes four bytes. */
    readonly displSize: number,
    _isBroadcast: boolean,
    readonly segment: number,
  ) {}
}

type Operand = number | TemplateMemory;

/** One instruction; `free()` is iced's, whose objects are memory of WebAssembly. */
class TemplateInstruction {
  private constructor(
    readonly code: CodeText,
    readonly operands: readonly Operand[],
    readonly immediate: bigint,
  ) {}

  free(): void {}

  static create = (code: CodeText) => new TemplateInstruction(code, [], 0n);
  static createReg = (code: CodeText, a: number) => new TemplateInstruction(code, [a], 0n);
  static createRegReg = (code: CodeText, a: number, b: number) => new TemplateInstruction(code, [a, b], 0n);
  static createRegMem = (code: CodeText, a: number, b: Operand) => new TemplateInstruction(code, [a, b], 0n);
  static createMem = (code: CodeText, a: Operand) => new TemplateInstruction(code, [a], 0n);
  static createMemReg = (code: CodeText, a: Operand, b: number) => new TemplateInstruction(code, [a, b], 0n);
  static createMemI32 = (code: CodeText, a: Operand, n: number) =>
    new TemplateInstruction(code, [a], BigInt(n));
  static createRegI32 = (code: CodeText, a: number, n: number) =>
    new TemplateInstruction(code, [a], BigInt(n));
  static createRegU64 = (code: CodeText, a: number, n: bigint) => new TemplateInstruction(code, [a], n);
  /** The target is an address, as is a displacement from `rip`. */
  static createBranch = (code: CodeText, target: bigint) => new TemplateInstruction(code, [], target);
}

/** Where the numbers of the encoded instruction are, in bytes; sizes are 0 where there is none. */
interface ConstantOffsets {
  readonly displacementOffset: number;
  readonly displacementSize: number;
  readonly immediateOffset: number;
  readonly immediateSize: number;
  free(): void;
}

/** An instruction in encoding: `rex` and the opcode's last byte collect bits of the registers. */
interface Encoding {
  rex: number;
  readonly opcode: number[];
  readonly modrm: number[];
  displacement: { readonly value: bigint; readonly size: number; readonly isRelative: boolean };
}

/** Bytes of an immediate or a branch displacement. */
const FIELD_BYTES: Readonly<Record<string, number>> = { ib: 1, id: 4, io: 8, cb: 1, cd: 4 };

/** Encodes one instruction at address 0. */
export class Encoder {
  #bytes: number[] = [];
  #offsets: ConstantOffsets | undefined;

  constructor(bits: number) {
    if (bits !== 64) throw new Error(`code of ${bits} bits is not encoded`);
  }

  free(): void {}

  takeBuffer = (): Uint8Array => Uint8Array.from(this.#bytes);

  getConstantOffsets(): ConstantOffsets {
    if (this.#offsets === undefined) throw new Error('no instruction has been encoded');
    return this.#offsets;
  }

  /** Gives the length in bytes. */
  encode({ code, operands, immediate }: TemplateInstruction, rip: bigint): number {
    const tokens: string[] = code.split(' ');
    const e = encodingOf(tokens, operands);
    const hasGs = operands.some((operand) => typeof operand === 'object' && operand.segment === Register.GS);
    const head = [...(hasGs ? [0x65] : []), ...(e.rex === 0 ? [] : [e.rex]), ...e.opcode, ...e.modrm];
    const field = tokens.find((token) => token in FIELD_BYTES) ?? '';
    const { value, size, isRelative } = e.displacement;
    const immediateSize = FIELD_BYTES[field] ?? 0;
    const length = head.length + size + immediateSize;
    const next = rip + BigInt(length);
    const number = field.startsWith('c') ? immediate - next : immediate;
    this.#bytes = [
      ...head,
      ...littleEndian(isRelative ? value - next : value, size),
      ...littleEndian(number, immediateSize),
    ];
    this.#offsets = {
      displacementOffset: size === 0 ? 0 : head.length,
      displacementSize: size,
      immediateOffset: immediateSize === 0 ? 0 : head.length + size,
      immediateSize,
      free: () => {},
    };
    return length;
  }
}

/** Of two operands one is in ModRM.reg and the other in ModRM.rm. */
function encodingOf(tokens: readonly string[], operands: readonly Operand[]): Encoding {
  const e: Encoding = {
    rex: tokens.includes('REX.W') ? 0x48 : 0,
    opcode: tokens.filter((token) => /^[0-9A-F]{2}$/.test(token)).map((token) => Number.parseInt(token, 16)),
    modrm: [],
    displacement: { value: 0n, size: 0, isRelative: false },
  };
  const [first, second] = operands;
  if (first === undefined) return e;
  if (tokens.includes('+r')) {
    e.opcode.push(e.opcode.pop()! | low(e, first, 1));
    return e;
  }
  const digit = tokens.find((token) => /^\/\d$/.test(token));
  const isFirstRm = second === undefined || typeof first === 'object' || tokens.includes('MR');
  const [rm, reg] = isFirstRm ? [first, second] : [second, first];
  const middle = digit !== undefined ? Number(digit[1]) : low(e, reg!, 4);
  addModrm(e, middle << 3, rm);
  return e;
}

/** The low three bits of a register; the fourth becomes a bit of REX. */
function low(e: Encoding, register: Operand, bit: 1 | 2 | 4): number {
  if (typeof register === 'object')
    throw new Error('a memory operand has no place in an opcode or in ModRM.reg');
  const number = hardwareNumber(register);
  if (number >= 8) e.rex |= 0x40 | bit;
  if (needsRex(register)) e.rex |= 0x40;
  return number & 7;
}

function addModrm(e: Encoding, middle: number, rm: Operand): void {
  if (typeof rm === 'number') {
    e.modrm.push(0xc0 | middle | low(e, rm, 1));
    return;
  }
  const { base, index, scale, displacement, displSize } = rm;
  if (base === Register.RIP) {
    e.displacement = { value: displacement, size: 4, isRelative: true };
    e.modrm.push(middle | 5);
    return;
  }
  const number = low(e, base, 1);
  // Without a displacement `rbp` and `r13` would be those of `rip`, and get one of a byte.
  const size = displSize === 8 ? 4 : displSize === 0 && number === 5 ? 1 : displSize;
  e.displacement = { value: displacement, size, isRelative: false };
  const mode = size === 0 ? 0 : size === 1 ? 0x40 : 0x80;
  if (index === Register.None && number !== 4) {
    e.modrm.push(mode | middle | number);
    return;
  }
  if (index === Register.RAX + 4) throw new Error('%rsp cannot be an index');
  const by = index === Register.None ? 4 : low(e, index, 2);
  e.modrm.push(mode | middle | 4, (Math.log2(scale) << 6) | (by << 3) | number);
}

/** The low bytes of a number, lowest first. */
function littleEndian(value: bigint, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));
}

export { TemplateInstruction as Instruction, TemplateMemory as MemoryOperand };

import type { Encoding } from '../../../checker/x86/encodings.ts';
import { ENCODINGS, operandBytes } from '../../../checker/x86/encodings.ts';

/*
 * A second reading of machine code, from the lines of the opcode map alone: nothing of the decoder is used. It
 * reads what those lines cover, slowly.
 */

/** An operand of an instruction that was read. */
export type ReadOperand =
  | ReadRegister
  | ReadMemory
  /** An immediate, sign-extended, or the absolute target of a branch. */
  | { readonly is: 'value'; readonly value: bigint; readonly bytes: number };

export interface ReadRegister {
  readonly is: 'register';
  readonly number: number;
  /** `ah ch dh bh`: the second byte. */
  readonly high: boolean;
  readonly bytes: number;
}

export interface ReadMemory {
  readonly is: 'memory';
  readonly base: number | undefined;
  readonly index: number | undefined;
  /** The index is shifted left by this. */
  readonly scale: number;
  readonly displacement: bigint;
  readonly gs: boolean;
  readonly bytes: number;
}

export interface ReadInstruction {
  readonly encoding: Encoding;
  /** ReadOperand size in bytes. */
  readonly size: number;
  readonly length: number;
  readonly condition: number;
  readonly operands: readonly ReadOperand[];
}

const PREFIXES = [0x66, 0x2e, 0x3e, 0x65, 0xf2, 0xf3];

/** The instruction at an offset of some bytes, of which the first has an address; undefined: none of the table. */
export function read(bytes: Uint8Array, offset: number, base: bigint): ReadInstruction | undefined {
  const prefixes: number[] = [];
  let place = offset;
  const byteAt = (index: number): number => bytes[index] ?? 0;
  while (PREFIXES.includes(byteAt(place)) && prefixes.length < 15) prefixes.push(byteAt(place++));
  const rex = (byteAt(place) & 0xf0) === 0x40 ? byteAt(place++) : undefined;
  const encoding = encodingAt(bytes, place, prefixes, rex);
  if (encoding === undefined) return undefined;
  // The forms that 66 makes of these are not in the table, nor what prefixes make of LFENCE.
  if (encoding.fixed64 && prefixes.includes(0x66)) return undefined;
  if (encoding.name === 'LFENCE' && prefixes.some((prefix) => [0x66, 0xf2, 0xf3].includes(prefix)))
    return undefined;
  const size = sizeOf(encoding, prefixes, rex);
  if (!encoding.sizes.includes(size)) return undefined;
  const last = byteAt(place + encoding.opcode.length - 1);
  const reader = new Fields(bytes, place + encoding.opcode.length, { encoding, size, rex, last, prefixes });
  const operands = encoding.operands.map((operand) => reader.operand(operand));
  const length = reader.place - offset;
  if (length > 15 || reader.place > bytes.length) return undefined;
  const next = base + BigInt(offset + length);
  return {
    encoding,
    size,
    length,
    condition: encoding.low === 'condition' ? last & 15 : 0,
    operands: operands.map((operand) => operand(next)),
  };
}

function encodingAt(
  bytes: Uint8Array,
  start: number,
  prefixes: readonly number[],
  rex: number | undefined,
): Encoding | undefined {
  const own = startingWith(bytes[start] ?? 0).filter((encoding) => {
    const { opcode, low, mandatory } = encoding;
    const free = low === undefined ? 0 : low === 'register' ? 7 : 15;
    const lastOf = opcode.length - 1;
    if (!opcode.every((byte, i) => ((bytes[start + i] ?? 0) & (i === lastOf ? ~free : 0xff)) === byte))
      return false;
    return mandatory === undefined || prefixes.includes(mandatory);
  });
  const modrm = bytes[start + (own[0]?.opcode.length ?? 1)] ?? 0;
  const fitting = own.filter(
    ({ digit, operands }) =>
      (digit === undefined || digit === ((modrm >> 3) & 7)) && (!operands.includes('M') || modrm < 0xc0),
  );
  // 90 is the exchange of rax with itself, and does nothing, unless REX.B names another register; F3 90 pauses.
  const pauses = prefixes.lastIndexOf(0xf3) > prefixes.lastIndexOf(0xf2);
  const names = ((rex ?? 0) & 1) !== 0 && !pauses ? 'XCHG' : 'NOP';
  return bytes[start] === 0x90 ? fitting.find(({ name }) => name === names) : fitting[0];
}

/** The lines of a first byte. */
const BY_FIRST: (readonly Encoding[] | undefined)[] = [];

function startingWith(byte: number): readonly Encoding[] {
  const found =
    BY_FIRST[byte] ??
    ENCODINGS.filter(({ opcode, low }) => {
      const free = opcode.length > 1 || low === undefined ? 0 : low === 'register' ? 7 : 15;
      return (byte & ~free) === opcode[0];
    });
  BY_FIRST[byte] = found;
  return found;
}

function sizeOf({ sizes }: Encoding, prefixes: readonly number[], rex: number | undefined): number {
  if (sizes.length === 1) return sizes[0] ?? 0;
  if (((rex ?? 0) & 8) !== 0) return 8;
  return prefixes.includes(0x66) ? 2 : 4;
}

/** What a field says once the address after the instruction is known. */
type Field = (next: bigint) => ReadOperand;

interface FieldsOf {
  readonly encoding: Encoding;
  readonly size: number;
  readonly rex: number | undefined;
  /** The last byte of the opcode. */
  readonly last: number;
  readonly prefixes: readonly number[];
}

/** The fields after an opcode, read one after the other. */
class Fields {
  private modrm: number | undefined;

  constructor(
    private readonly bytes: Uint8Array,
    public place: number,
    private readonly of: FieldsOf,
  ) {
    const { encoding } = of;
    const hasModrm = encoding.digit !== undefined || encoding.operands.some((text) => /^[EMG]/.test(text));
    if (hasModrm) this.modrm = Number(this.take(1));
    // The operands of the table are in the order of the manual: an address comes before an immediate anyway.
    if (hasModrm && this.mode < 3) this.memory = this.takeAddress();
  }

  private memory: ((next: bigint) => Omit<ReadMemory, 'bytes'>) | undefined;

  private get mode(): number {
    return (this.modrm ?? 0) >> 6;
  }

  private bit(bit: number): number {
    return (((this.of.rex ?? 0) >> bit) & 1) << 3;
  }

  private take(bytes: number): bigint {
    let value = 0n;
    for (let i = 0; i < bytes; i++) value |= BigInt(this.bytes[this.place++] ?? 0) << BigInt(8 * i);
    return value;
  }

  private takeSigned(bytes: number): bigint {
    return BigInt.asUintN(64, BigInt.asIntN(8 * bytes, this.take(bytes)));
  }

  private takeAddress(): (next: bigint) => Omit<ReadMemory, 'bytes'> {
    const low = (this.modrm ?? 0) & 7;
    const gs = this.of.prefixes.includes(0x65);
    const none = { is: 'memory', base: undefined, index: undefined, scale: 0, gs } as const;
    if (low === 5 && this.mode === 0) {
      const by = this.takeSigned(4);
      return (next) => ({ ...none, displacement: BigInt.asUintN(64, next + by) });
    }
    const sib = low === 4 ? Number(this.take(1)) : undefined;
    const base = sib === undefined ? low : sib & 7;
    const hasBase = sib === undefined || base !== 5 || this.mode !== 0;
    const index = sib === undefined ? 4 : ((sib >> 3) & 7) | this.bit(1);
    const displacement = this.takeSigned(this.mode === 1 ? 1 : this.mode === 2 || !hasBase ? 4 : 0);
    const operand = {
      ...none,
      base: hasBase ? base | this.bit(0) : undefined,
      index: index === 4 ? undefined : index,
      scale: (sib ?? 0) >> 6,
      displacement,
    };
    return () => operand;
  }

  operand(text: string): Field {
    // Of MOVSXD the source is no wider than the destination.
    const bytes = text === 'Ed' ? Math.min(4, this.of.size) : operandBytes(text, this.of.size);
    switch (text[0]) {
      case 'G':
        return this.register((((this.modrm ?? 0) >> 3) & 7) | this.bit(2), bytes);
      case 'Z':
        return this.register((this.of.last & 7) | this.bit(0), bytes);
      case 'E':
      case 'M': {
        const { memory } = this;
        if (memory === undefined) return this.register(((this.modrm ?? 0) & 7) | this.bit(0), bytes);
        return (next) => ({ ...memory(next), bytes });
      }
      case 'r':
        return () => ({ is: 'register', number: text === 'rDX' ? 2 : 0, high: false, bytes: this.of.size });
      case 'A':
        return () => ({ is: 'register', number: 0, high: false, bytes: 1 });
      case 'C':
        return () => ({ is: 'register', number: 1, high: false, bytes: 1 });
      case '1':
        return () => ({ is: 'value', value: 1n, bytes: 1 });
      case 'J': {
        const by = this.takeSigned(text === 'Jb' ? 1 : 4);
        return (next) => ({ is: 'value', value: BigInt.asUintN(64, next + by), bytes: 8 });
      }
      case 'I': {
        const value = this.takeSigned(bytes);
        return () => ({ is: 'value', value, bytes });
      }
      default:
        throw new Error(`no operand is called ${text}`);
    }
  }

  private register(number: number, bytes: number): Field {
    const high = bytes === 1 && this.of.rex === undefined && number >= 4;
    return () => ({ is: 'register', number: high ? number - 4 : number, high, bytes });
  }
}

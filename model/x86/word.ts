/**
 * A 64-bit machine word as two signed 32-bit halves.
 *
 * JavaScript's numbers hold 53 bits and its BigInt costs an allocation for each operation, so everything that
 * the emulator touches is a pair of int32; text and JSON are the only places where a word is written whole.
 */
export interface Word {
  readonly hi: number;
  readonly lo: number;
}

export const ZERO: Word = { hi: 0, lo: 0 };

/** The word that sign-extends a safe integer (−2^53 … 2^53). */
export function fromNumber(value: number): Word {
  return { hi: Math.floor(value / 4294967296) | 0, lo: value | 0 };
}

/** The safe integer value of a sign-extended word; throws when it does not fit 53 bits. */
export function toNumber(word: Word): number {
  const value = word.hi * 4294967296 + (word.lo >>> 0);
  if (!Number.isSafeInteger(value)) throw new Error(`${toHex(word)} does not fit a number`);
  return value;
}

export function fromBigInt(value: bigint): Word {
  return { hi: Number(BigInt.asIntN(32, value >> 32n)), lo: Number(BigInt.asIntN(32, value)) };
}

/** The unsigned value, 0 … 2^64−1. */
export function toBigInt(word: Word): bigint {
  return (BigInt(word.hi >>> 0) << 32n) | BigInt(word.lo >>> 0);
}

/** Parses `0x…` with one to sixteen hexadecimal digits; throws on anything else. */
export function fromHex(text: string): Word {
  if (!/^0x[0-9a-f]{1,16}$/i.test(text)) throw new Error(`not a 64-bit hexadecimal number: ${text}`);
  if (text.length <= 10) return { hi: 0, lo: Number.parseInt(text, 16) | 0 };
  return { hi: Number.parseInt(text.slice(0, -8), 16) | 0, lo: Number.parseInt(text.slice(-8), 16) | 0 };
}

/** `0x` and the shortest lower-case hexadecimal form of the unsigned value. */
export function toHex(word: Word): string {
  const low = (word.lo >>> 0).toString(16);
  return word.hi === 0 ? `0x${low}` : `0x${(word.hi >>> 0).toString(16)}${low.padStart(8, '0')}`;
}

/** Its lowest 1, 2, 4 or 8 bytes, zero-extended. */
export function zeroExtended(word: Word, bytes: number): Word {
  if (bytes === 8) return word;
  return { hi: 0, lo: bytes === 4 ? word.lo : word.lo & (bytes === 2 ? 0xffff : 0xff) };
}

/** The word plus a signed offset of at most 32 bits, modulo 2^64. */
export function plus(word: Word, offset: number): Word {
  const sum = (word.lo >>> 0) + offset;
  return { hi: (word.hi + Math.floor(sum / 4294967296)) | 0, lo: sum | 0 };
}

/** `a − b` when it fits a signed 32-bit displacement, otherwise undefined. */
export function displacement(a: Word, b: Word): number | undefined {
  const low = (a.lo >>> 0) - (b.lo >>> 0);
  const high = (a.hi - b.hi - (low < 0 ? 1 : 0)) | 0;
  const value = low | 0;
  return high === value >> 31 ? value : undefined;
}

export function equal(a: Word, b: Word): boolean {
  return a.hi === b.hi && a.lo === b.lo;
}

/** Unsigned comparison: negative, zero or positive. */
export function compare(a: Word, b: Word): number {
  return a.hi === b.hi ? (a.lo >>> 0) - (b.lo >>> 0) : (a.hi >>> 0) - (b.hi >>> 0);
}

/** Whether sign-extending the low half gives the word back. */
export function isSigned32(word: Word): boolean {
  return word.hi === word.lo >> 31;
}

/** Whether zero-extending the low half gives the word back. */
export function isUnsigned32(word: Word): boolean {
  return word.hi === 0;
}

/*
 * Results and flags after the manual (Intel SDM vol. 2), one step at a time and in whole numbers. A flag that the
 * manual leaves open is not compared.
 */

export const CF = 1 << 0;
export const PF = 1 << 2;
export const AF = 1 << 4;
export const ZF = 1 << 6;
export const SF = 1 << 7;
export const OF = 1 << 11;
export const STATUS = CF | PF | AF | ZF | SF | OF;

/** A result, and the flags after it. */
export interface Computed {
  readonly value: bigint;
  readonly flags: number;
}

export function topBit(value: bigint, bits: number): boolean {
  return (value >> BigInt(bits - 1)) % 2n === 1n;
}

/** SF, ZF and PF. */
function signZeroParity(value: bigint, bits: number): number {
  const ones = [...(value % 256n).toString(2)].filter((digit) => digit === '1').length;
  return (topBit(value, bits) ? SF : 0) | (value === 0n ? ZF : 0) | (ones % 2 === 0 ? PF : 0);
}

export function add(a: bigint, b: bigint, carry: boolean, bits: number): Computed {
  const more = carry ? 1n : 0n;
  const value = BigInt.asUintN(bits, a + b + more);
  const signed = BigInt.asIntN(bits, a) + BigInt.asIntN(bits, b) + more;
  const flags =
    (a + b + more >= 1n << BigInt(bits) ? CF : 0) |
    (signed !== BigInt.asIntN(bits, value) ? OF : 0) |
    ((a % 16n) + (b % 16n) + more >= 16n ? AF : 0);
  return { value, flags: flags | signZeroParity(value, bits) };
}

export function subtract(a: bigint, b: bigint, borrow: boolean, bits: number): Computed {
  const more = borrow ? 1n : 0n;
  const value = BigInt.asUintN(bits, a - b - more);
  const signed = BigInt.asIntN(bits, a) - BigInt.asIntN(bits, b) - more;
  const flags =
    (a < b + more ? CF : 0) |
    (signed !== BigInt.asIntN(bits, value) ? OF : 0) |
    (a % 16n < (b % 16n) + more ? AF : 0);
  return { value, flags: flags | signZeroParity(value, bits) };
}

/** CF and OF are clear. */
export function logical(value: bigint, bits: number): Computed {
  return { value, flags: signZeroParity(value, bits) };
}

/** One bit at a time; `before` are the flags that a rotation keeps. OF is that of a count of one. */
export function shift(name: string, a: bigint, count: number, bits: number, before: number): Computed {
  let value = a;
  let carry = false;
  const top = 1n << BigInt(bits - 1);
  for (let i = 0; i < count; i++) {
    const [high, low] = [topBit(value, bits), value % 2n === 1n];
    carry = name === 'SHL' || name === 'ROL' ? high : low;
    if (name === 'SHL' || name === 'ROL') value = BigInt.asUintN(bits, value * 2n);
    else value /= 2n;
    if ((name === 'SAR' && high) || (name === 'ROR' && low)) value += top;
    if (name === 'ROL' && high) value += 1n;
  }
  const overflow = topBit(a, bits) !== topBit(value, bits);
  const own = (carry ? CF : 0) | (overflow ? OF : 0);
  const keeps = name === 'ROL' || name === 'ROR';
  return { value, flags: own | (keeps ? before & ~(CF | OF) : signZeroParity(value, bits)) };
}

/** The product of two values, twice as wide; CF and OF: its upper half says something. */
export function multiply(a: bigint, b: bigint, isSigned: boolean, bits: number): Computed {
  const product = isSigned ? BigInt.asIntN(bits, a) * BigInt.asIntN(bits, b) : a * b;
  const half = isSigned ? BigInt.asIntN(bits, product) : BigInt.asUintN(bits, product);
  return { value: BigInt.asUintN(2 * bits, product), flags: product === half ? 0 : CF | OF };
}

/** Whether a condition holds, by its number in the opcode (SDM vol. 1, appendix B). */
export function holds(flags: number, condition: number): boolean {
  const is = (flag: number): boolean => (flags & flag) !== 0;
  const even = [
    is(OF),
    is(CF),
    is(ZF),
    is(CF) || is(ZF),
    is(SF),
    is(PF),
    is(SF) !== is(OF),
    is(ZF) || is(SF) !== is(OF),
  ][condition >> 1];
  return even !== (condition % 2 === 1);
}

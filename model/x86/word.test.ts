import { describe, expect, it } from 'vitest';
import {
  compare,
  displacement,
  equal,
  fromBigInt,
  fromHex,
  fromNumber,
  isSigned32,
  isUnsigned32,
  plus,
  toBigInt,
  toHex,
  toNumber,
} from './word.ts';

/** One word in all its spellings. */
const SPELLINGS: readonly (readonly [
  hex: string,
  hi: number,
  lo: number,
  value: bigint,
  signed: number | undefined,
])[] = [
  ['0x0', 0, 0, 0n, 0],
  ['0x1', 0, 1, 1n, 1],
  ['0x7fffffff', 0, 0x7fffffff, 0x7fffffffn, 0x7fffffff],
  ['0x80000000', 0, -0x80000000, 0x80000000n, 0x80000000],
  ['0xffffffff', 0, -1, 0xffffffffn, 0xffffffff],
  ['0x100000000', 1, 0, 0x100000000n, 0x100000000],
  ['0x10000000f', 1, 15, 0x10000000fn, 0x10000000f],
  ['0x1fffffffffffff', 0x1fffff, -1, 2n ** 53n - 1n, Number.MAX_SAFE_INTEGER],
  ['0x20000000000000', 0x200000, 0, 2n ** 53n, undefined],
  ['0x7fffffffffffffff', 0x7fffffff, -1, 2n ** 63n - 1n, undefined],
  ['0x8000000000000000', -0x80000000, 0, 2n ** 63n, undefined],
  ['0xffe0000000000001', -0x200000, 1, 2n ** 64n - 2n ** 53n + 1n, Number.MIN_SAFE_INTEGER],
  ['0xffffffff80000000', -1, -0x80000000, 0xffffffff80000000n, -0x80000000],
  ['0xffffffffffffffff', -1, -1, 2n ** 64n - 1n, -1],
];

describe('a word', () => {
  it.each(SPELLINGS)('%s', (hex, hi, lo, value, signed) => {
    expect(fromHex(hex)).toEqual({ hi, lo });
    expect(toHex({ hi, lo })).toBe(hex);
    expect(fromBigInt(value)).toEqual({ hi, lo });
    expect(fromBigInt(value - 2n ** 64n)).toEqual({ hi, lo });
    expect(toBigInt({ hi, lo })).toBe(value);
    if (signed === undefined) expect(() => toNumber({ hi, lo })).toThrow(`${hex} does not fit a number`);
    else {
      expect(toNumber({ hi, lo })).toBe(signed);
      expect(fromNumber(signed)).toEqual({ hi, lo });
    }
  });

  it.each(['', '0x', '12', '0x12345678123456789', '0xg', ' 0x1', '0x1 ', '-0x1'])('"%s" is none', (text) => {
    expect(() => fromHex(text)).toThrow(`not a 64-bit hexadecimal number: ${text}`);
  });

  it('may be written in upper case', () => {
    expect(fromHex('0xABCDEF')).toEqual(fromHex('0xabcdef'));
  });
});

describe('plus() and displacement()', () => {
  it.each([
    ['0x0', 1, '0x1'],
    ['0x0', -1, '0xffffffffffffffff'],
    ['0xffffffff', 1, '0x100000000'],
    ['0x100000000', -1, '0xffffffff'],
    ['0xffffffffffffffff', 1, '0x0'],
    ['0xfffffffffffffff0', 0x7fffffff, '0x7fffffef'],
    ['0xffffffff80000000', 0x7fffffff, '0xffffffffffffffff'],
    ['0x7fffffffffffffff', 1, '0x8000000000000000'],
    ['0xffffc90000000000', -0x80000000, '0xffffc8ff80000000'],
    ['0x180000000', 0, '0x180000000'],
  ])('%s + %i = %s', (word, offset, sum) => {
    expect(toHex(plus(fromHex(word), offset))).toBe(sum);
    expect(displacement(fromHex(sum), fromHex(word))).toBe(offset);
  });

  it.each([
    ['0x80000000', '0x0'],
    ['0x0', '0x80000001'],
    ['0x100000000', '0x0'],
    ['0x8000000000000000', '0x0'],
    ['0x0', '0x8000000000000000'],
    ['0xffffffff80000000', '0x0000000000000001'],
  ])('%s is out of reach of %s', (a, b) => {
    expect(displacement(fromHex(a), fromHex(b))).toBeUndefined();
  });

  it('reaches 2^31 down but not up', () => {
    expect(displacement(fromHex('0x0'), fromHex('0x80000000'))).toBe(-0x80000000);
    expect(displacement(fromHex('0x7fffffff'), fromHex('0x0'))).toBe(0x7fffffff);
  });
});

describe('comparison', () => {
  it('is unsigned', () => {
    const words = SPELLINGS.map(([, hi, lo]) => ({ hi, lo }));
    const sorted = [...words].reverse().sort(compare).map(toHex);
    expect(sorted).toEqual(SPELLINGS.map(([hex]) => hex));
  });

  it('equal() compares both halves', () => {
    expect(equal({ hi: 1, lo: 2 }, { hi: 1, lo: 2 })).toBe(true);
    expect(equal({ hi: 1, lo: 2 }, { hi: 1, lo: 3 })).toBe(false);
    expect(equal({ hi: 1, lo: 2 }, { hi: 0, lo: 2 })).toBe(false);
    expect(compare({ hi: 1, lo: 2 }, { hi: 1, lo: 2 })).toBe(0);
  });
});

describe('widths', () => {
  it.each([
    ['0x0', true, true],
    ['0x7fffffff', true, true],
    ['0x80000000', false, true],
    ['0xffffffff', false, true],
    ['0x100000000', false, false],
    ['0xffffffff7fffffff', false, false],
    ['0xffffffff80000000', true, false],
    ['0xffffffffffffffff', true, false],
  ])('%s: fits sign-extended %s, zero-extended %s', (hex, signed, unsigned) => {
    expect(isSigned32(fromHex(hex))).toBe(signed);
    expect(isUnsigned32(fromHex(hex))).toBe(unsigned);
  });
});

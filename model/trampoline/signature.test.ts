import { describe, expect, test } from 'vitest';
import { parseSignature, printSignature, slotCount } from './signature.ts';

describe('a signature', () => {
  test.each([
    ['u64 x9, s16b, u32 -> u64', 'u64 x9, s16b, u32 -> u64', 12],
    ['u64,u64,  u64', 'u64 x3 -> u64', 3],
    ['-> void', '-> void', 0],
    ['void -> u8', '-> u8', 0],
    ['u128, bool, ptr -> s32', 'u128, bool, ptr -> s32', 4],
    ['s3b x2 -> u64', 's3b x2 -> u64', 2],
  ])('%s reads as %s, %i words', (text, canonical, words) => {
    const signature = parseSignature(text);
    expect(printSignature(signature)).toBe(canonical);
    expect(parseSignature(canonical)).toEqual(signature);
    expect(slotCount(signature)).toBe(words);
  });

  test.each([
    ['u63', '"u63" in "u63" is not a type'],
    ['u64, void', '"u64, void" has an argument of type void'],
    ['u64 -> u64 -> u64', '"u64 -> u64 -> u64" has more than one ->'],
    ['u64 y2', '"u64 y2" in "u64 y2" is not a type'],
    ['u64,,u8', '"" in "u64,,u8" is not a type'],
    ['s0b', '"s0b" in "s0b" is not a type'],
  ])('%s is refused: %s', (text, message) => {
    expect(() => parseSignature(text)).toThrow(message);
  });
});

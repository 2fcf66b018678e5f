import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashedBlock } from './hashed-block.ts';

const hashes = fc.array(fc.nat(2 ** 32 - 1), { maxLength: 100 });

test('a block has each number with its hash, by the parts of the table', () => {
  fc.assert(
    fc.property(hashes, fc.nat(1000), fc.nat(2 ** 23), (given, first, slots) => {
      const block = new HashedBlock(100, slots + 64);
      for (const before of [[7, 7, 7], given]) {
        block.hashes.set(before);
        block.sort(first, before.length);
      }
      const numbers = [...block.sortedNumbers.slice(0, given.length)];
      const sorted = [...block.sortedHashes.slice(0, given.length)];
      expect(numbers.toSorted((a, b) => a - b)).toEqual(given.map((_, i) => first + i));
      expect(sorted).toEqual(numbers.map((number) => given[number - first]));
      const parts = 2 ** Math.max(1, Math.ceil(Math.log2((slots + 64) / 2 ** 16)));
      const inParts = sorted.map((hash) => Math.floor((hash / 2 ** 32) * parts));
      expect(inParts).toEqual(inParts.toSorted((a, b) => a - b));
    }),
    { seed: 1, numRuns: 200 },
  );
});

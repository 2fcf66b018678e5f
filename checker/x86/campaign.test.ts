import { expect, test } from 'vitest';
import { BATCH, drawBatch, simplerThan } from './campaign.ts';
import { assemble } from './sequence.ts';

test('the same seed draws the same sequences from the same memory', () => {
  expect(drawBatch(7, BATCH, 50)).toEqual(drawBatch(7, BATCH, 50));
});

test('another seed draws other sequences', () => {
  expect(drawBatch(7, 0, 1)).not.toEqual(drawBatch(8, 0, 1));
});

test('a sequence does not depend on how many are drawn after it', () => {
  expect(drawBatch(7, 0, 3).sequences).toEqual(drawBatch(7, 0, 60).sequences.slice(0, 3));
});

test('whatever is taken out of a sequence, its branches lead forward to an instruction or to the end', () => {
  const shortened = drawBatch(7, 0, 40).sequences.flatMap(simplerThan);
  for (const sequence of shortened) {
    const { code, end, offsets } = assemble(sequence);
    expect(code.length).toBeGreaterThan(end);
    expect(offsets).toHaveLength(sequence.instructions.length + 1);
  }
});

test('shrinking comes to an end at one instruction', () => {
  let [sequence] = drawBatch(7, 0, 1).sequences;
  let cuts = 0;
  for (let next = simplerThan(sequence!)[0]; next !== undefined; next = simplerThan(sequence!)[0]) {
    sequence = next;
    cuts++;
  }
  expect(sequence!.instructions).toHaveLength(1);
  expect(cuts).toBeLessThan(100);
});

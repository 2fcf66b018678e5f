import { expect, test } from 'vitest';
import { SentHalves } from './sent-halves.ts';

test('a state counts as sent only if it was, and right after it was', () => {
  const states = new SentHalves();
  const sent = new Set<string>();
  let number = 1;
  let known = 0;
  // Halves of few numbers, of which many pairs come again.
  const half = () => {
    number = (Math.imul(number, 1_103_515_245) + 12_345) >>> 0;
    return (number >>> 16) % 350;
  };
  for (let i = 0; i < 200_000; i++) {
    const [left, right] = [half(), half()];
    const isKnown = states.note(left, right);
    if (isKnown) known++;
    if (isKnown && !sent.has(`${left} ${right}`)) throw new Error(`${left} ${right} was never sent`);
    sent.add(`${left} ${right}`);
    if (!states.note(left, right)) throw new Error(`${left} ${right} has just been sent`);
  }
  expect(known).toBeGreaterThan(20_000);
});

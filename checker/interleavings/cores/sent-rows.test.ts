import { expect, test } from 'vitest';
import { SentRows } from './sent-rows.ts';

test('a row counts as sent only if it was, and right after it was', () => {
  const width = 3;
  const rows = new SentRows(width);
  const sent = new Set<string>();
  let number = 1;
  let known = 0;
  for (let i = 0; i < 200_000; i++) {
    // Rows of few values, of which many come again.
    const row = new Int32Array(width + 1);
    for (let place = 1; place <= width; place++) {
      number = (Math.imul(number, 1_103_515_245) + 12_345) >>> 0;
      row[place] = (number >>> 16) % 50;
    }
    const isKnown = rows.note(row, 1);
    if (isKnown) known++;
    if (isKnown && !sent.has(row.join())) throw new Error(`${row.join()} was never sent`);
    sent.add(row.join());
    if (!rows.note(row, 1)) throw new Error(`${row.join()} has just been sent`);
  }
  expect(known).toBeGreaterThan(20_000);
});

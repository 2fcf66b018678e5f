import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Ahead } from './ahead.ts';
import { partsAhead } from './ahead-parts.ts';
import { workAhead } from './ahead-work.ts';

const OPTIONS = { seed: '1', cases: '250', sequences: '5' };
const LAST = 'sequences of 7.2, 0';

test('the parts are those of a default run, in its order', () => {
  const names = partsAhead({ ...OPTIONS, cases: '500' }).map(({ name }) => name);
  const [first = ''] = names;
  expect(first).toMatch(/^trace counterexamples\/corpus\//);
  expect(names.filter((name) => !name.startsWith('trace '))).toEqual([
    'images, 0',
    'images, 1',
    'sequences of 6.1, 0',
    'sequences of 6.12, 0',
    LAST,
  ]);
});

test('work ahead begins with the last part, and ends where it meets the run', async () => {
  const done: string[] = [];
  await workAhead(
    OPTIONS,
    () => 'sequences of 6.1, 0',
    ({ part }) => done.push(part),
  );
  expect(done).toEqual([LAST, 'sequences of 6.12, 0']);
});

test('a worker knows the result of a part that the run has not come to', async () => {
  const ahead = new Ahead(OPTIONS);
  ahead.begin();
  try {
    while (!ahead.isDone(LAST)) await setTimeout(50);
    const own = partsAhead(OPTIONS).find(({ name }) => name === LAST);
    expect(ahead.share.ask(LAST)).toEqual({ is: 'known', result: own?.work() });
  } finally {
    await ahead.end();
  }
});

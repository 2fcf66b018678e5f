import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Ahead } from './ahead.ts';
import { partsAhead } from './ahead-parts.ts';
import { workAhead } from './ahead-work.ts';

const OPTIONS = { seed: '1', cases: '250', sequences: '5' };
const LAST = 'sequences of 7.2, 0';
const ALONE = { nth: 0, of: 1 };

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
    ALONE,
    () => 'sequences of 6.1, 0',
    ({ part }) => done.push(part),
  );
  expect(done).toEqual([LAST, 'sequences of 6.12, 0']);
});

test('workers take turns: each part is worked on once, until they meet the run', async () => {
  const done: string[] = [];
  for (const nth of [0, 1, 2])
    await workAhead(
      OPTIONS,
      { nth, of: 3 },
      () => 'images, 0',
      ({ part }) => done.push(part),
    );
  expect(done).toEqual([LAST, 'sequences of 6.12, 0', 'sequences of 6.1, 0']);
});

test('workers know the results of parts that the run has not come to', async () => {
  const ahead = new Ahead(OPTIONS, 2);
  ahead.begin();
  const last = partsAhead(OPTIONS).slice(-2);
  try {
    while (!last.every(({ name }) => ahead.isDone(name))) await setTimeout(50);
    for (const { name, work } of last) expect(ahead.share.ask(name)).toEqual({ is: 'known', result: work() });
  } finally {
    await ahead.end();
  }
});

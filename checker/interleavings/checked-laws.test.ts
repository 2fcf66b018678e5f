import { expect, test } from 'vitest';
import { addTo } from '../../model/core/add-to.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import { pairs } from './family.ts';
import { InterleavingSearch } from './search.ts';
import { Space } from './space.ts';

const { scenario } = pairs('6.12', 1, 1).find(({ name }) => name === 'attach f1, live patch off f1')!;

/** A law on calls that are over; it is broken in every kernel, with what it reads there. */
function lawThatReads(read: (moment: Parameters<TaskLaw['judge']>[0]) => number) {
  const checked: string[] = [];
  const law: TaskLaw = {
    name: 'task/reads',
    sentence: 'Every call says what it has read.',
    source: 'a test',
    witness: 'a call',
    judge: (moment) => {
      const { happening } = moment;
      if (happening.is !== 'call over') return 'not applicable';
      const found = read(moment);
      checked.push(`${found} ${JSON.stringify(happening)}`);
      return { is: 'program-runs-in-itself', prog: 0, bodies: found };
    },
  };
  return { law, checked };
}

/** How often each value was found, when every call that is over is judged by itself. */
function foundOneByOne(law: TaskLaw, space: Space, search: InterleavingSearch): Map<string, number> {
  const found = new Map<string, number>();
  for (let number = 0; number < search.store.size; number++) {
    const state = search.store.get(number);
    space.visit(state, (_, next, event) => {
      if (event?.is !== 'call over') return;
      const { caller, run, missed, by, within } = event;
      const judgement = law.judge({
        scenario,
        program: space.program,
        kernel: space.kernelOf(next!),
        running: space.runningOn(next!),
        happening: { is: 'call over', caller, run, missed, by, within, before: [], during: [] },
      });
      addTo(found, JSON.stringify(judgement), 1);
    });
  }
  return found;
}

test.each([
  ['the locks', 4, 0.25, ({ kernel }) => Object.keys(kernel.locks).length],
  ['a copy of all', 4, 1, ({ kernel }) => Object.keys(structuredClone(kernel).locks).length],
  ['the programs that run', 1, 0.25, ({ running }) => Object.keys(running[0] ?? {}).length],
  ['nothing', 1, 0.1, () => 7],
] as const satisfies [string, number, number, Parameters<typeof lawThatReads>[0]][])(
  'events are judged again where laws read something else: %s',
  (_, values, share, read) => {
    const { law, checked } = lawThatReads(read);
    const space = new Space(scenario);
    const search = new InterleavingSearch(space, { laws: [law], stopsAt: () => false });
    search.goOn(Number.POSITIVE_INFINITY);
    const judged = [...checked];
    const found = search.explored().breaches.map(({ finding, count }) => [JSON.stringify(finding), count]);
    const oneByOne = foundOneByOne(law, space, search);
    expect(new Map(found as [string, number][])).toEqual(oneByOne);
    expect(oneByOne.size).toBeGreaterThanOrEqual(values);
    const events = [...oneByOne.values()].reduce((sum, count) => sum + count, 0);
    expect(judged.length).toBeLessThanOrEqual(events * share);
  },
);

test('a law that reads one part is checked again only where that is another one', () => {
  const { law, checked } = lawThatReads(({ kernel }) => Object.keys(kernel.locks).length);
  const search = new InterleavingSearch(new Space(scenario), { laws: [law], stopsAt: () => false });
  search.goOn(Number.POSITIVE_INFINITY);
  const { law: blind, checked: once } = lawThatReads(() => 0);
  const other = new InterleavingSearch(new Space(scenario), { laws: [blind], stopsAt: () => false });
  other.goOn(Number.POSITIVE_INFINITY);
  expect(new Set(once).size).toBe(once.length);
  expect(once.length).toBeLessThan(checked.length);
});

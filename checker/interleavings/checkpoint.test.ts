import { deserialize, serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { NOTHING_ENDS } from '../../test/nothing-ends.ts';
import { THOROUGH } from '../../test/thorough.ts';
import type { Checkpoint } from './checkpoint.ts';
import { restore, save } from './checkpoint.ts';
import { pairs, withSleepers } from './family.ts';
import type { Explored } from './search.ts';
import { explore, InterleavingSearch } from './search.ts';
import { Space } from './space.ts';

const { scenario } = pairs(withSleepers('6.12'), 1, 2).find(
  ({ name }) => name === 'attach f1, unregister f1',
)!;
const LAWS = [...TASK_LAWS, NOTHING_ENDS];
/** States that are searched. */
const STATES = THOROUGH ? 30_000 : 9000;
const EXPLORATION = { laws: LAWS, states: STATES, stopsAt: () => false };

/** A checkpoint as text. */
function spelled(checkpoint: Checkpoint): string {
  return JSON.stringify(checkpoint, (_, value) => (value instanceof Int32Array ? [...value] : value));
}

function comparable(explored: Explored): unknown {
  const { bytes: _, witnesses, ...rest } = explored;
  return { ...rest, witnesses: [...witnesses] };
}

describe('a search that is left after any number of states', () => {
  const whole = comparable(explore(new Space(scenario), EXPLORATION));

  test.each([[1], [777], [0.3 * STATES], [(2 / 3) * STATES]])(
    '%i, and resumes elsewhere, has the same result',
    (states) => {
      const first = new Space(scenario);
      const begun = new InterleavingSearch(first, EXPLORATION);
      expect(begun.goOn(states)).toBe(true);
      const written = serialize(save(first, begun));
      const space = new Space(scenario);
      const search = new InterleavingSearch(space, EXPLORATION);
      restore(space, search, LAWS, deserialize(written) as Checkpoint);
      expect(spelled(save(space, search)) === spelled(save(first, begun))).toBe(true);
      expect(search.goOn(Number.POSITIVE_INFINITY)).toBe(false);
      expect(comparable(search.explored())).toEqual(whole);
    },
  );

  test('resumes only in its own space', () => {
    const first = new Space(scenario);
    const begun = new InterleavingSearch(first, EXPLORATION);
    begun.goOn(100);
    const other = new Space(pairs('6.12', 1, 1)[0]!.scenario);
    const search = new InterleavingSearch(other, EXPLORATION);
    expect(() => restore(other, search, LAWS, save(first, begun))).toThrow('what was saved under ');
  });

  test('resumes only with its own laws', () => {
    const first = new Space(scenario);
    const begun = new InterleavingSearch(first, EXPLORATION);
    begun.goOn((2 / 3) * STATES);
    expect(begun.findings.breaches.size).toBeGreaterThan(0);
    const space = new Space(scenario);
    const search = new InterleavingSearch(space, { ...EXPLORATION, laws: [] });
    expect(() => restore(space, search, [], save(first, begun))).toThrow('is no longer checked');
  });
});

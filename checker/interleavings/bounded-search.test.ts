import { deserialize, serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { THOROUGH } from '../../test/thorough.ts';
import { BoundedSearch } from './bounded-search.ts';
import type { Checkpoint } from './checkpoint.ts';
import { restore, save } from './checkpoint.ts';
import { pairs, withSleepers } from './family.ts';
import { unpackMove } from './move.ts';
import type { Explored } from './search.ts';
import { InterleavingSearch } from './search.ts';
import type { SpaceOptions } from './space.ts';
import { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { ASLEEP, conditionIn, standingIn } from './state.ts';
import type { Store } from './store.ts';

const EVERYTHING = { laws: TASK_LAWS, stopsAt: () => false };

function pair(wanted: string, cpus: number, calls: number, kernel = '6.12'): Scenario {
  return pairs(withSleepers(kernel), cpus, calls).find(({ name }) => name === wanted)!.scenario;
}

/** One of its clients alone. */
function alone(scenario: Scenario, client: number): Scenario {
  return { ...scenario, clients: scenario.clients.slice(client, client + 1) };
}

function bounded(space: Space, preemptions: number): BoundedSearch {
  const search = new BoundedSearch(space, { ...EVERYTHING, preemptions });
  search.goOn(Number.POSITIVE_INFINITY);
  return search;
}

function statesIn(store: Store): string[] {
  return Array.from({ length: store.size }, (_, i) => store.get(i).join()).sort();
}

/** Whether an actor, by its name, has a move of its own: one that sleeps has given up its CPU. */
function continues(space: Space, state: PackedState, who: string): boolean {
  const actor = space.actors(state).find((own) => own.who === who);
  if (actor === undefined) return false;
  if (actor.kind === 'caller' && conditionIn(standingIn(state, actor.index)) === ASLEEP) return false;
  let any = false;
  space.visitActor(state, actor, () => {
    any = true;
  });
  return any;
}

function nameOf(space: Space, state: PackedState, packed: number): string {
  const { who, index } = unpackMove(packed);
  return space.actors(state).filter(({ kind }) => kind === who)[index]!.who;
}

/** Whether the next move of a path is a preemption. */
function preempts(space: Space, state: PackedState, last: string | undefined, move: number): boolean {
  return last !== undefined && nameOf(space, state, move) !== last && continues(space, state, last);
}

/** All states within a bound, by brute force: every node and every count on its own. */
function statesWithin(space: Space, preemptions: number): string[] {
  const states = new Set<string>();
  const seen = new Set<string>();
  const open: [PackedState, string | undefined, number][] = [[space.initial(), undefined, 0]];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const [state, last, used] = node;
    const key = `${state.join()} ${last} ${used}`;
    if (used > preemptions || seen.has(key)) continue;
    seen.add(key);
    states.add(state.join());
    space.visit(state, (move, next) => {
      if (next === undefined) return;
      const more = preempts(space, state, last, move) ? 1 : 0;
      open.push([next.slice(), nameOf(space, state, move), used + more]);
    });
  }
  return [...states].sort();
}

/** Preemptions on a path in a space without symmetry. */
function preemptionsOn(space: Space, path: readonly number[]): number {
  let state = space.initial();
  let last: string | undefined;
  let count = 0;
  for (const wanted of path) {
    if (preempts(space, state, last, wanted)) count++;
    last = nameOf(space, state, wanted);
    let after: PackedState | undefined;
    space.visit(state, (move, next) => {
      if (move === wanted) after = next?.slice();
    });
    state = after ?? state;
  }
  return count;
}

const PLAIN: SpaceOptions = { reduce: false, symmetric: false };
const REGISTER = pair('register f1, register f1', 1, 1);
const ATTACH_DETACH = 'attach f1, detach f1';
const DETACH = alone(pair(ATTACH_DETACH, 1, 1), 1);

describe.each([
  ['two registrations', REGISTER],
  ['a detachment, whose work runs beside a call', DETACH],
  ['a live patch beside two calls on two CPUs', alone(pair('modify f1, live patch on f1', 2, 2), 1)],
] as const)('of %s', (_, scenario) => {
  test.each([0, 1, 2, 3])('the states within %i preemptions are those of brute force', (preemptions) => {
    // States are numbers of parts, and these are those of one space.
    const space = new Space(scenario, PLAIN);
    const search = bounded(space, preemptions);
    expect(search.explored().complete).toBe(true);
    expect(statesIn(search.store)).toEqual(statesWithin(space, preemptions));
  });
});

/** What a search has found, without the order of its findings. */
function found({ states, transitions, ends, complete, breaches, witnesses }: Explored): unknown {
  const kinds = breaches.map(({ law, finding, count }) => [law.name, JSON.stringify(finding), count]);
  return { states, transitions, ends, complete, breaches: kinds.sort(), witnesses: [...witnesses].sort() };
}

describe.each([
  ['two registrations', REGISTER],
  ['a live patch on two CPUs in 7.2', pair('register f1, live patch on f1', 2, 1, '7.2')],
  [
    'a detachment in 6.1',
    THOROUGH ? pair(ATTACH_DETACH, 1, 1, '6.1') : alone(pair(ATTACH_DETACH, 1, 1, '6.1'), 1),
  ],
] as const)('%s, with more preemptions than a schedule has,', (_, scenario) => {
  test('has all states, moves, ends and breaches, as without a bound', () => {
    const space = new Space(scenario);
    const whole = new InterleavingSearch(space, EVERYTHING);
    whole.goOn(Number.POSITIVE_INFINITY);
    const search = bounded(space, 1000);
    expect(search.explored().leftOut).toBe(false);
    expect(statesIn(search.store)).toEqual(statesIn(whole.store));
    expect(found(search.explored())).toEqual(found(whole.explored()));
  });
});

/** A checkpoint as text. */
function spelled(checkpoint: Checkpoint): string {
  return JSON.stringify(checkpoint, (_, value) => (value instanceof Int32Array ? [...value] : value));
}

describe('a search within two preemptions that is left after any number of nodes', () => {
  const scenario = DETACH;
  const within = { ...EVERYTHING, laws: [...TASK_LAWS], preemptions: 2 };

  test.each([[1], [100], [300], [600]])('%i, and resumes elsewhere, has the same result', (nodes) => {
    const whole = bounded(new Space(scenario), 2).explored();
    const first = new Space(scenario);
    const begun = new BoundedSearch(first, within);
    expect(begun.goOn(nodes)).toBe(true);
    const written = serialize(save(first, begun));
    const space = new Space(scenario);
    const search = new BoundedSearch(space, within);
    restore(space, search, within.laws, deserialize(written) as Checkpoint);
    expect(spelled(save(space, search)) === spelled(save(first, begun))).toBe(true);
    expect(search.goOn(Number.POSITIVE_INFINITY)).toBe(false);
    const { bytes: _, ...resumed } = search.explored();
    const { bytes: __, ...once } = whole;
    expect(resumed).toEqual(once);
  });
});

describe('a planted bug', () => {
  const named = (name: string) => TASK_PLANTED.find((own) => own.name === name)!;
  const searchFor = (name: string, preemptions: number, reduce = true) => {
    const bug = named(name);
    const { profile, grain, law } = bug;
    const space = new Space(
      { ...bug.scenario, profile },
      { program: plantedKernel(bug), symmetric: false, reduce, ...(grain === undefined ? {} : { grain }) },
    );
    const search = new BoundedSearch(space, { laws: [law], preemptions });
    search.goOn(Number.POSITIVE_INFINITY);
    return { space, ...search.explored() };
  };

  test.each(['no-sync-after-int3', 'no-sync-after-heads', 'only-rude'])(
    '%s needs the same number of preemptions with the reductions of a search and without them',
    (name) => {
      const least = (reduce: boolean) =>
        [0, 1, 2, 3].find((preemptions) => searchFor(name, preemptions, reduce).breaches.length > 0);
      expect(least(true)).toBe(least(false));
      expect(least(true)).toBeDefined();
    },
  );

  test.each([
    ['no-sync-after-int3', 1],
    ['only-rude', 1],
  ] as const)('%s shows with %i preemption and none less, and its path has no more', (name, least) => {
    expect(searchFor(name, least - 1).breaches).toEqual([]);
    const { space, breaches } = searchFor(name, 10);
    expect(breaches.map(({ path }) => preemptionsOn(space, path))).toEqual([least]);
  });
});

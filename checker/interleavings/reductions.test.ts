import { describe, expect, test } from 'vitest';
import type { Edit } from '../../model/core/link.ts';
import type { Part } from '../../model/core/part.ts';
import { textPokeBpBatch } from '../../model/text/poke.ts';
import { bare, dropped, edit } from '../../properties/planted/sequences/edits.ts';
import { someOf } from '../../test/thorough.ts';
import { pairs, withSleepers } from './family.ts';
import type { SpaceOptions } from './space.ts';
import type { SpaceTrial, SpaceVerdict } from './verdict-rig.ts';
import { verdictOf } from './verdict-rig.ts';

/*
 * What a search leaves out makes no difference: with each reduction and without, and cut at every instruction, small
 * scenarios come to the same verdict, to the same ends, and calls see the same.
 */

/** Bugs that show in the order of things. */
const PLANTED = {
  'no sync after int3': [edit('text_poke_bp_batch', 'sync after int3', dropped)],
  'no sync after tails': [edit('text_poke_bp_batch', 'sync after tails', dropped)],
  'no sync after heads': [edit('text_poke_bp_batch', 'sync after heads', dropped)],
  'tails before int3': [
    edit('text_poke_bp_batch', 'write int3', (int3) => [
      textPokeBpBatch.parts.find(({ id }) => id === 'write tails')!,
      int3,
    ]),
    edit('text_poke_bp_batch', 'write tails', dropped),
  ],
  'no grace period': [edit('__bpf_tramp_image_put', 'wait for rcu_tasks', dropped)],
  'no wait for the reference counter': [edit('__bpf_tramp_image_put', 'wait for percpu_ref', dropped)],
  'no grace period for direct_functions': [edit('register_ftrace_direct_cb', 'wait for rcu_tasks', dropped)],
  'a work queue for hashes': [
    edit('free_ftrace_hash_rcu', 'wait for rcu', (part) => [{ ...part, flavour: 'workqueue' } as Part]),
  ],
  'no direct_mutex': [edit('register_ftrace_direct', 'lock direct_mutex', bare)],
} satisfies Record<string, readonly Edit[]>;

const BREAKPOINTS = 'task/no-unhandled-breakpoint';
const CRASHES = 'task/nothing-else-happens';
const FETCHES = 'task/no-fetch-from-freed-memory';
const PROBES = 'task/probes-see-old-or-new';
const TORN = 'task/no-torn-instruction';

/** A pair of the family, or one of its two operations, and what it breaks. */
interface Row {
  readonly kernel: string;
  readonly pair: string;
  /** The only client; both, when nothing is said. */
  readonly only?: 0 | 1;
  readonly cpus: number;
  readonly callers: number;
  readonly planted?: keyof typeof PLANTED;
  readonly breaks: readonly string[];
}

const register = {
  kernel: '6.12',
  pair: 'attach f1, register f1',
  only: 1,
  cpus: 2,
  callers: 1,
} as const;
const detach = { kernel: '6.12', pair: 'attach f1, detach f1', only: 1, cpus: 1, callers: 1 } as const;

/** Those that are small at every instruction as well. */
const SMALL: readonly Row[] = [
  { ...register, kernel: '7.2', breaks: [] },
  { ...register, pair: 'modify f1, live patch on f1', only: 0, breaks: [] },
  { ...register, kernel: '7.2', pair: 'unregister f1, live patch on f2', only: 0, breaks: [] },
  { ...register, kernel: '6.1', pair: 'attach f1, live patch on f1', breaks: [] },
  { ...register, planted: 'no sync after int3', breaks: [TORN] },
  { ...register, planted: 'no sync after tails', breaks: [TORN] },
  { ...register, planted: 'no sync after heads', breaks: [BREAKPOINTS] },
  { ...register, planted: 'tails before int3', breaks: [TORN] },
  { ...detach, kernel: '6.1', breaks: [] },
  { ...detach, planted: 'no grace period', breaks: [FETCHES] },
  { ...detach, planted: 'no wait for the reference counter', breaks: [FETCHES] },
];

const LARGER: readonly Row[] = [
  { ...register, kernel: '7.2', callers: 2, breaks: [] },
  { ...register, pair: 'attach f1, attach f1', breaks: [FETCHES] },
  { ...detach, kernel: '7.2', pair: 'detach f1, detach f1', cpus: 2, breaks: [] },
  { ...register, callers: 2, planted: 'no sync after heads', breaks: [BREAKPOINTS] },
  { kernel: '6.1', pair: 'register f1, register f2', cpus: 2, callers: 1, breaks: [] },
  { kernel: '7.2', pair: 'register f2, live patch on f1', cpus: 1, callers: 1, breaks: [] },
  { kernel: '6.12', pair: 'register f1, live patch on f1', cpus: 2, callers: 1, breaks: [] },
  {
    kernel: '7.2',
    pair: 'register f2, live patch on f1',
    cpus: 1,
    callers: 1,
    planted: 'no grace period for direct_functions',
    breaks: [CRASHES],
  },
  {
    kernel: '7.2',
    pair: 'attach f2, live patch on f1',
    cpus: 1,
    callers: 1,
    planted: 'a work queue for hashes',
    breaks: [CRASHES],
  },
  {
    kernel: '6.1',
    pair: 'register f1, register f1',
    cpus: 1,
    callers: 1,
    planted: 'no direct_mutex',
    breaks: [PROBES],
  },
];

const VERDICTS = new Map<Row, SpaceVerdict>();

/** With all reductions; several tests compare with that, and it is searched once. */
function reducedVerdict(row: Row): SpaceVerdict {
  const reduced = VERDICTS.get(row) ?? verdict(row, {});
  VERDICTS.set(row, reduced);
  return reduced;
}

function verdict(row: Row, options: SpaceOptions): SpaceVerdict {
  const { kernel, pair, only, cpus, callers, planted } = row;
  const { scenario } = pairs(withSleepers(kernel), cpus, callers).find(({ name }) => name === pair)!;
  const clients = only === undefined ? scenario.clients : [scenario.clients[only]!];
  const trial: SpaceTrial = { ...scenario, clients };
  return verdictOf(planted === undefined ? trial : { ...trial, edits: PLANTED[planted] }, options);
}

function titled(rows: readonly Row[]): (readonly [string, Row])[] {
  return rows.map((row) => {
    const { kernel, pair, only, cpus, callers, planted } = row;
    const what = only === undefined ? pair : pair.split(', ')[only]!;
    const title = `${kernel}: ${what}; ${callers} in calls, ${cpus} CPUs`;
    return [planted === undefined ? title : `${title}; ${planted}`, row];
  });
}

/** One reduction is left out, and all are. */
const WITHOUT: readonly SpaceOptions[] = [
  { reduce: false },
  { symmetric: false },
  { keepsOrder: true },
  { reduce: false, symmetric: false, keepsOrder: true },
];

describe('without a reduction nothing else is found', () => {
  test.each(titled([...someOf(SMALL, 6), ...someOf(LARGER, 7)]))('%s', (_, row) => {
    const reduced = reducedVerdict(row);
    expect(reduced.laws).toEqual(row.breaks);
    expect(reduced.calls).not.toEqual([]);
    for (const options of WITHOUT) {
      const full = verdict(row, options);
      expect(full.states).toBeGreaterThanOrEqual(reduced.states);
      expect({ ...full, states: 0 }).toEqual({ ...reduced, states: 0 });
    }
  });
});

describe('cut at every instruction nothing else is broken', () => {
  test.each(titled(someOf(SMALL, 11)))('%s', (_, row) => {
    const { laws, ends, calls, states } = reducedVerdict(row);
    for (const options of [{}, WITHOUT.at(-1)]) {
      const fine = verdict(row, { ...options, grain: 'instruction' });
      expect(fine.states).toBeGreaterThan(states);
      expect({ laws: fine.laws, ends: fine.ends, calls: fine.calls }).toEqual({ laws, ends, calls });
    }
  });
});

test('a space that is searched again has the same states', () => {
  const row: Row = { ...register, pair: 'attach f1, attach f1', breaks: [] };
  expect(verdict(row, {})).toEqual(verdict(row, {}));
});

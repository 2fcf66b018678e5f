import { deserialize, serialize } from 'node:v8';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Edit } from '../../../model/core/link.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { plantedKernel } from '../../../properties/planted/kernel.ts';
import { dropped, edit } from '../../../properties/planted/sequences/edits.ts';
import { TASK_LAWS } from '../../../properties/task-laws.ts';
import { NOTHING_ENDS } from '../../../test/nothing-ends.ts';
import { someOf, THOROUGH } from '../../../test/thorough.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { restore, save } from '../checkpoint.ts';
import { pairs, withSleepers } from '../family.ts';
import type { Exploration } from '../search.ts';
import { InterleavingSearch } from '../search.ts';
import type { SpaceOptions } from '../space.ts';
import { Space } from '../space.ts';
import { Store } from '../store.ts';
import type { ChunkLog, ChunkOrder } from './chunk.ts';
import { ChunkVisits } from './chunk-visits.ts';
import type { Chunking, Helper } from './shared-chunks.ts';
import { Helpers } from './shared-chunks.ts';

/*
 * A search with helpers comes to the same state as one without, in every number that it keeps: values, worlds, states
 * and how each was found, breaches, counts of laws, what of the model was executed. Helpers are in this thread here, so
 * that it is known when a log comes: at once, or when the search has waited for it, or too late.
 */

/** Small chunks, close to the search: values that it has not numbered yet are frequent. */
const SMALL: Chunking = { chunk: 5, ahead: 7, look: 2 };

/** The task of a test. */
interface Task {
  readonly scenario: Scenario;
  readonly exploration: Exploration;
  readonly options?: Omit<SpaceOptions, 'program'>;
  readonly edits?: readonly Edit[];
}

function spaceOf({ scenario, options = {}, edits }: Task): Space {
  return new Space(scenario, { ...options, program: plantedKernel({ edits }) });
}

/** The logs that a helper may keep to itself, by their numbers: how often it is asked for each before it answers. */
type Delay = (log: number) => number;
const PROMPT: Delay = () => 0;
/** Some come while the search waits, some are too late, and so are several in a row. */
const LATE: Delay = (log) => [0, 1, 4, 0, 2, 9, 9][log % 7]!;

/** A helper as if it were in another thread: messages are copied. */
class NearHelper implements Helper {
  private readonly visits: ChunkVisits;
  private readonly logs: ChunkLog[] = [];
  private asked = 0;
  private taken = 0;
  used = 0;

  constructor(
    { laws }: Exploration,
    space: Space,
    private readonly delay: Delay,
  ) {
    this.visits = new ChunkVisits(space, laws);
  }

  send(order: ChunkOrder): void {
    this.logs.push(copied(this.visits.log(copied(order))));
  }

  take(): ChunkLog | undefined {
    if (this.logs.length === 0 || this.asked++ < this.delay(this.taken)) return undefined;
    this.asked = 0;
    this.taken++;
    const log = this.logs.shift()!;
    this.used += log.parts.reduce((sum, { states }) => sum + states, 0);
    return log;
  }

  wait(): void {}

  end(): void {
    this.logs.length = 0;
  }
}

function copied<T>(message: T): T {
  return deserialize(serialize(message)) as T;
}

/** Everything that a search has come to, as text. */
function outcome(space: Space, search: InterleavingSearch): string {
  const { executed } = space.program;
  const all = { explored: search.explored(), saved: save(space, search), executed: [...executed] };
  return JSON.stringify(all, (_, value) =>
    value instanceof Int32Array || value instanceof Map ? [...value] : value,
  );
}

/** The outcome with helpers of these delays, and how many states those have visited. */
function helped(task: Task, delays: readonly Delay[]): { readonly outcome: string; readonly used: number } {
  const helpers = delays.map((delay) => new NearHelper(task.exploration, spaceOf(task), delay));
  plantedKernel({ edits: task.edits }).executed.fill(0);
  const space = spaceOf(task);
  const search = new InterleavingSearch(space, task.exploration, SMALL);
  for (const helper of helpers) search.helpedBy(helper);
  // In turns, as a worker does it: a chunk may end after the turn.
  while (search.goOn(37));
  return { outcome: outcome(space, search), used: helpers.reduce((sum, { used }) => sum + used, 0) };
}

/** Compares texts of some megabytes, of which a failed test prints no more than where they differ. */
function requireSame(text: string, other: string): void {
  if (text === other) return;
  let place = 0;
  while (text[place] === other[place]) place++;
  const from = Math.max(0, place - 100);
  expect(text.slice(from, place + 100)).toBe(other.slice(from, place + 100));
}

function scenarioOf(
  kernel: string,
  pair: string,
  { cpus, tasks }: { cpus: number; tasks: number },
): Scenario {
  return pairs(withSleepers(kernel), cpus, tasks).find(({ name }) => name === pair)!.scenario;
}

const ONE = { cpus: 1, tasks: 1 };
const TWO = { cpus: 2, tasks: 2 };
const ALIKE = { cpus: 1, tasks: 2 };
/** Stale bytes take another CPU; a second task that calls takes six times as many states to the same breach. */
const STALE = THOROUGH ? TWO : { cpus: 2, tasks: 1 };

const listed: Exploration = { laws: TASK_LAWS, nameOf: () => 'listed', states: 5000 };
const noSync = [edit('text_poke_bp_batch', 'sync after int3', dropped)];
const noGrace = [edit('__bpf_tramp_image_put', 'wait for rcu_tasks', dropped)];

const TASKS: Readonly<Record<string, Task>> = {
  'of 6.1': { scenario: scenarioOf('6.1', 'attach f1, live patch on f1', ONE), exploration: listed },
  'of 6.12 with tasks that are alike': {
    scenario: scenarioOf('6.12', 'attach f1, unregister f1', TWO),
    exploration: listed,
  },
  'of 7.2': { scenario: scenarioOf('7.2', 'register f1, register f1', ALIKE), exploration: listed },
  'without reductions': {
    scenario: scenarioOf('6.12', 'attach f1, live patch on f1', TWO),
    exploration: listed,
    options: { reduce: false, symmetric: false },
  },
  'without symmetry': {
    scenario: scenarioOf('7.2', 'register f1, unregister f1', TWO),
    exploration: listed,
    options: { symmetric: false },
  },
  'that ends with the breach of a planted bug': {
    scenario: scenarioOf('6.12', 'attach f1, register f1', STALE),
    exploration: { laws: TASK_LAWS },
    edits: noSync,
  },
  'that ends with the late breach of another one': {
    scenario: scenarioOf('6.12', 'attach f1, detach f1', ONE),
    exploration: { laws: TASK_LAWS },
    edits: noGrace,
  },
  'that counts breaches and continues': {
    scenario: scenarioOf('6.12', 'attach f1, detach f1', TWO),
    exploration: { laws: [...TASK_LAWS, NOTHING_ENDS], stopsAt: () => false, states: 5000 },
  },
  'with a bound of states': {
    scenario: scenarioOf('6.12', 'attach f1, attach f1', TWO),
    exploration: { ...listed, states: 777 },
  },
  'with a bound of moves': {
    scenario: scenarioOf('6.12', 'attach f1, attach f1', TWO),
    exploration: { ...listed, depth: 17 },
  },
};

const HELPERS: readonly (readonly [name: string, delays: readonly Delay[]])[] = [
  ['two helpers', [LATE, PROMPT]],
  ['a helper that is prompt', [PROMPT]],
  ['a helper that is often too late', [LATE]],
];

describe.each(Object.entries(TASKS))('a search %s', (_, task) => {
  let alone: string;
  beforeAll(() => {
    alone = helped(task, []).outcome;
  });

  test.each(someOf(HELPERS, 3))('comes to the same with %s', (_, delays) => {
    const together = helped(task, delays);
    expect(together.used).toBeGreaterThan(50);
    requireSame(together.outcome, alone);
  });
});

test.each([
  ['states', { states: 400 }],
  ['moves', { depth: 9 }],
])('wherever in a chunk a search reaches its bound of %s, it ends there', (_, first) => {
  const task = TASKS['of 6.12 with tasks that are alike']!;
  for (let more = 0; more < SMALL.chunk; more++) {
    const bounds = Object.fromEntries(Object.entries(first).map(([bound, most]) => [bound, most + more]));
    const bounded = { ...task, exploration: { laws: TASK_LAWS, nameOf: () => 'listed', ...bounds } };
    requireSame(helped(bounded, [PROMPT]).outcome, helped(bounded, []).outcome);
  }
});

test('before the table of states becomes larger, a helper has chunks for that time', () => {
  const space = spaceOf(TASKS['of 6.1']!);
  const store = new Store(2);
  const sent: boolean[] = [];
  const silent: Helper = {
    send: () => sent.push(store.growsSoon),
    take: () => undefined,
    wait() {},
    end() {},
  };
  for (const grows of [false, true]) {
    while (store.size < 20_000 || store.growsSoon !== grows) store.add([store.size, 0], -1, 0);
    const helpers = new Helpers(space, store, SMALL);
    helpers.join(silent);
    helpers.logFrom(0);
  }
  const [before, soon] = [false, true].map((grows) => sent.filter((was) => was === grows).length);
  expect(before).toBe(4);
  expect(soon).toBe(4 + Math.ceil(store.size / 60 / SMALL.chunk));
});

test('a search that was saved while it was helped resumes with helpers, and without', () => {
  const task = TASKS['of 6.12 with tasks that are alike']!;
  const { exploration } = task;
  const whole = helped(task, []).outcome;
  for (const resumesAlone of [true, false]) {
    plantedKernel({ edits: undefined }).executed.fill(0);
    const first = spaceOf(task);
    const begun = new InterleavingSearch(first, exploration, SMALL);
    begun.helpedBy(new NearHelper(exploration, spaceOf(task), PROMPT));
    begun.goOn(1000);
    const saved = copied(save(first, begun)) as Checkpoint;
    const space = spaceOf(task);
    const search = new InterleavingSearch(space, exploration, SMALL);
    restore(space, search, TASK_LAWS, saved);
    if (!resumesAlone) search.helpedBy(new NearHelper(exploration, spaceOf(task), PROMPT));
    while (search.goOn(37));
    requireSame(outcome(space, search), whole);
  }
});

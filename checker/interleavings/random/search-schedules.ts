import fc from 'fast-check';
import type { KernelProgram } from '../../../model/call/kernel-program.ts';
import { addTo } from '../../../model/core/add-to.ts';
import { present } from '../../../model/core/present.ts';
import { KERNEL_PROGRAM } from '../../../model/step.ts';
import type { Grain } from '../../../model/task/advance.ts';
import type { TaskLaw } from '../../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import type { Share } from '../../share.ts';
import { WHOLE, workOn } from '../../share.ts';
import type { TaskBreach } from '../judge.ts';
import type { Occurrence } from '../occurrence.ts';
import { Space } from '../space.ts';
import { breaksAtomically } from './atomically.ts';
import { drawnScenarios } from './draw-scenario.ts';
import type { NearScenarios } from './nearby.ts';
import { nearbyScenarios } from './nearby.ts';
import { schedules } from './schedules.ts';
import type { PassOver } from './walk.ts';
import { Walker } from './walk.ts';

/** Walks through one scenario. Their bound is a count, so that a seed fixes their result. */
export interface ScheduleSearch extends PassOver {
  readonly laws: readonly TaskLaw[];
  readonly seed: number;
  /** Schedules at most. */
  readonly schedules: number;
  readonly program?: KernelProgram;
  readonly grain?: Grain;
}

/** The result of the walks through one scenario. */
export interface SchedulesSearched {
  readonly walks: number;
  readonly moves: number;
  readonly witnesses: ReadonlyMap<string, number>;
  /** The moves of the walk that broke a law, and the breach. */
  readonly found: { readonly moves: readonly number[]; readonly breach: TaskBreach } | undefined;
}

/** Expected moves of a walk, until one has been made. */
const MOVES_EXPECTED = 100;

/** Walks through a scenario until a law is broken in an unlisted way, or the bound is reached. */
export function searchSchedules(scenario: Scenario, search: ScheduleSearch): SchedulesSearched {
  const { laws, seed, program = KERNEL_PROGRAM, grain = 'visible' } = search;
  const walker = new Walker(new Space(scenario, { program, grain, symmetric: false }), laws);
  let moves = 0;
  let expected = MOVES_EXPECTED;
  const drawn = fc.sample(schedules, { seed, numRuns: search.schedules });
  for (const [nth, schedule] of drawn.entries()) {
    const walk = walker.walk(schedule(expected), search);
    expected = walk.moves.length;
    moves += expected;
    const { breach } = walk;
    if (breach !== undefined) {
      const found = { moves: walk.moves, breach };
      return { walks: nth + 1, moves, witnesses: walker.witnesses, found };
    }
  }
  return { walks: drawn.length, moves, witnesses: walker.witnesses, found: undefined };
}

/** A search of several scenarios by random schedules. */
export interface ScenariosSearch extends Omit<ScheduleSearch, keyof PassOver | 'grain'> {
  /** The name of the known breach that one matches: the walk continues. */
  readonly nameOf: (breach: Occurrence) => string | undefined;
  /** Default: all scenarios are searched here. */
  readonly share?: Share;
}

/** A random search over scenarios and schedules. */
export interface RandomSearch extends ScenariosSearch {
  readonly profile: string;
  /** Scenarios that are drawn. */
  readonly scenarios: number;
  /** They are near others, of the same kernel. */
  readonly near?: NearScenarios;
}

/** A breach that was found, before anything is shrunk. */
export interface FoundSchedule {
  /** Its number among those drawn, from 1. */
  readonly number: number;
  readonly scenario: Scenario;
  readonly moves: readonly number[];
  readonly breach: TaskBreach;
}

/** The progress of a random search. */
export interface RandomlySearched {
  readonly scenarios: number;
  readonly walks: number;
  readonly moves: number;
  /** Operations of clients and calls, in all scenarios together. */
  readonly operations: number;
  readonly calls: number;
  /** Scenarios that break a law without any interleaving as well: sequences of calls find those. */
  readonly atomic: number;
  /** Scenarios that show known breaches, by the names of those. */
  readonly known: ReadonlyMap<string, number>;
  /** In how many moves and ends each law applied, by its name. */
  readonly witnesses: ReadonlyMap<string, number>;
  readonly found: FoundSchedule | undefined;
}

export const NOTHING_SEARCHED: RandomlySearched = {
  scenarios: 0,
  walks: 0,
  moves: 0,
  operations: 0,
  calls: 0,
  atomic: 0,
  known: new Map(),
  witnesses: new Map(),
  found: undefined,
};

/** Walks through random scenarios until one breaks a law in a new way, or the bound is reached. */
export function searchRandomly(search: RandomSearch): Generator<RandomlySearched, RandomlySearched> {
  const { profile, seed, scenarios, near } = search;
  const drawn =
    near === undefined ? drawnScenarios(profile, seed, scenarios) : nearbyScenarios(near, seed, scenarios);
  return searchScenarios(drawn, search);
}

/** The same for given scenarios. */
export function* searchScenarios(
  scenarios: Iterable<Scenario>,
  search: ScenariosSearch,
): Generator<RandomlySearched, RandomlySearched> {
  const { share = WHOLE } = search;
  let so = NOTHING_SEARCHED;
  for (const scenario of scenarios) {
    const drawn = new DrawnScenario(scenario, so.scenarios, search);
    const walked = workOn(share, drawn.name, () => drawn.walk());
    so = withOneMore(so, walked);
    if (walked?.hasFailed === true) return { ...so, found: drawn.found() };
    yield so;
  }
  return so;
}

/** What the walks through one scenario came to: plain data. */
interface WalkedScenario extends Omit<RandomlySearched, 'scenarios' | 'found'> {
  /** The last of them breaks a law in an unlisted way. */
  readonly hasFailed: boolean;
}

/** One of the scenarios, and its place among them, from 0. */
class DrawnScenario {
  private failed: Pick<FoundSchedule, 'moves' | 'breach'> | undefined;

  constructor(
    private readonly scenario: Scenario,
    private readonly place: number,
    private readonly search: ScenariosSearch,
  ) {}

  /** Other parts of a run have other names. */
  get name(): string {
    return `schedules of ${this.scenario.profile}, ${this.place}`;
  }

  walk(): WalkedScenario {
    const { scenario, search } = this;
    const { laws, program = KERNEL_PROGRAM } = search;
    const atomic = new Map<string, boolean>();
    const known = new Map<string, number>();
    const isAtomic = ({ law }: TaskBreach) => {
      const isSame = (other: TaskBreach) => other.law === law;
      const breaks = atomic.get(law.name) ?? breaksAtomically(scenario, { laws, program, isSame });
      atomic.set(law.name, breaks);
      return breaks;
    };
    const { found, ...counts } = searchSchedules(scenario, {
      ...search,
      seed: search.seed + this.place,
      isKnown: (breach) => {
        const name = search.nameOf(breach);
        if (name !== undefined) known.set(name, 1);
        return name !== undefined;
      },
      isLast: isAtomic,
    });
    this.failed = found;
    return {
      ...counts,
      operations: scenario.clients.flat().length,
      calls: scenario.callers.length,
      atomic: Number([...atomic.values()].includes(true)),
      known,
      hasFailed: found !== undefined,
    };
  }

  /** The breach; the walks are repeated if it was found elsewhere. */
  found(): FoundSchedule {
    if (this.failed === undefined) this.walk();
    const { place, scenario } = this;
    return { number: place + 1, scenario, ...present(this.failed, 'walk that fails again') };
  }
}

/** With one scenario more; undefined: it is searched elsewhere. */
function withOneMore(so: RandomlySearched, walked: WalkedScenario | undefined): RandomlySearched {
  const scenarios = so.scenarios + 1;
  if (walked === undefined) return { ...so, scenarios };
  return {
    scenarios,
    walks: so.walks + walked.walks,
    moves: so.moves + walked.moves,
    operations: so.operations + walked.operations,
    calls: so.calls + walked.calls,
    atomic: so.atomic + walked.atomic,
    known: added(so.known, walked.known),
    witnesses: added(so.witnesses, walked.witnesses),
    found: undefined,
  };
}

function added(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const sum = new Map(a);
  for (const [name, count] of b) addTo(sum, name, count);
  return sum;
}

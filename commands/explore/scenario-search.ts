import { BoundedSearch } from '../../checker/interleavings/bounded-search.ts';
import { concreteHistory } from '../../checker/interleavings/cause/history.ts';
import type { Checkpoint, ResumableSearch, SavedBreach } from '../../checker/interleavings/checkpoint.ts';
import { restore, save } from '../../checker/interleavings/checkpoint.ts';
import { ChunkVisits } from '../../checker/interleavings/cores/chunk-visits.ts';
import type { Helper } from '../../checker/interleavings/cores/shared-chunks.ts';
import { Judge } from '../../checker/interleavings/judge.ts';
import { lively } from '../../checker/interleavings/liveness.ts';
import type { Occurrence } from '../../checker/interleavings/occurrence.ts';
import { fatesOf } from '../../checker/interleavings/overlap.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { InterleavingSearch } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { knownTaskName } from '../../conformance/known/task-name.ts';
import { spaceFor } from '../../counterexamples/interleavings/space-for.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { noDeadlock } from '../../properties/task/no-deadlock.ts';
import { ALL_TASK_LAWS } from '../../properties/task-laws.ts';
import type { ScenarioResult } from './exploration.ts';

/** The task of one worker, as plain data: laws and planted bugs by name. */
export interface ScenarioQuestion {
  /** Its place among all. */
  readonly number: number;
  readonly scenario: Scenario;
  readonly grain?: Schedule['grain'];
  readonly laws: readonly string[];
  readonly planted: string | undefined;
  readonly depth: number | undefined;
  readonly states: number | undefined;
  readonly preemptions: number | undefined;
  /** The state of an earlier, interrupted search of it. */
  readonly saved: Checkpoint | undefined;
}

/** The result for a scenario whose setup the kernel refuses; undefined if it accepts it. */
export function refused({ scenario }: ScenarioQuestion): ScenarioResult | undefined {
  const space = spaceFor(scenario, undefined);
  if (typeof space !== 'string') return undefined;
  const none = { states: 0, transitions: 0, depth: 0, bytes: 0, breaches: [], witnesses: [], fates: [] };
  return { ...none, end: 'refused' };
}

/** The space that a question is about, and its laws. */
function readFrom({ scenario, grain, planted, laws: names }: ScenarioQuestion): {
  readonly space: Space;
  readonly laws: readonly TaskLaw[];
} {
  const bug = TASK_PLANTED.find(({ name }) => name === planted);
  const space = new Space(scenario, {
    program: plantedKernel(bug),
    ...(grain === undefined ? {} : { grain }),
  });
  return { space, laws: ALL_TASK_LAWS.filter(({ name }) => names.includes(name)) };
}

/** Visits states for the search of a question in another thread. */
export function visitsFor(question: ScenarioQuestion): ChunkVisits {
  const { space, laws } = readFrom(question);
  return new ChunkVisits(space, laws);
}

/** The search of one scenario, some states at a time. */
export class ScenarioSearch {
  private readonly space: Space;
  private readonly search: ResumableSearch;
  private readonly laws: readonly TaskLaw[];
  private readonly nameOf: (breach: Occurrence) => string | undefined;

  constructor(private readonly question: ScenarioQuestion) {
    const { saved, depth, states, preemptions } = question;
    const { space, laws } = readFrom(question);
    this.space = space;
    this.laws = laws;
    this.nameOf = (breach) => (question.planted === undefined ? knownTaskName(breach) : undefined);
    const exploration = { laws, ...(states === undefined ? {} : { states }), nameOf: this.nameOf };
    this.search =
      preemptions === undefined
        ? new InterleavingSearch(this.space, { ...exploration, ...(depth === undefined ? {} : { depth }) })
        : new BoundedSearch(this.space, { ...exploration, preemptions });
    if (saved !== undefined) restore(this.space, this.search, laws, saved);
  }

  /** Another thread visits states for it; a search with a bound on preemptions has no use for that. */
  helpedBy(helper: Helper): void {
    if (this.search instanceof InterleavingSearch) this.search.helpedBy(helper);
    else helper.end();
  }

  /** Its helpers are not needed any more. */
  dismiss(): void {
    if (this.search instanceof InterleavingSearch) this.search.dismiss();
  }

  /** Visits some more states; answers whether others are left. */
  goOn(states: number): boolean {
    return this.search.goOn(states);
  }

  saved(): Checkpoint {
    return save(this.space, this.search);
  }

  /** The number of states, and the bytes that they take. */
  get size(): { readonly states: number; readonly bytes: number } {
    const { size, bytes } = this.search.store;
    return { states: size, bytes };
  }

  result(): ScenarioResult {
    const explored = this.search.explored();
    const { states, transitions, depth, bytes, leftOut, breaches, witnesses } = explored;
    const complete = explored.complete && !leftOut;
    const { stopped, bounded } = this.search.progress;
    const traps = complete ? this.traps() : [];
    const isBroken = stopped || traps.some(({ known }) => known === undefined);
    const outOfStates = states >= (this.question.states ?? Number.POSITIVE_INFINITY);
    const bound = outOfStates ? 'states' : 'depth';
    return {
      states,
      transitions,
      depth,
      bytes,
      end: isBroken
        ? 'breach'
        : complete
          ? 'complete'
          : leftOut
            ? 'preemptions'
            : bounded
              ? bound
              : 'stopped',
      breaches: [...breaches.map(({ law, ...found }) => ({ ...found, law: law.name })), ...traps],
      witnesses: [...witnesses],
      fates: fatesOf(this.space, this.search.store),
    };
  }

  /**
   * A check of all states together: an operation that must retry may do so for ever. Deadlocks are for their own law,
   * where it is checked.
   */
  private traps(): SavedBreach[] {
    const { space } = this;
    const laws = this.laws.filter(({ isLiveness }) => isLiveness === true);
    if (laws.length === 0 || (space.scenario.retries !== true && this.laws.includes(noDeadlock))) return [];
    const { trap } = lively(space);
    const breach = trap && new Judge(space, laws, space.program).trapped(trap);
    if (breach === undefined) return [];
    const { path, cycle } = trap!;
    const history = () => concreteHistory(space, [...path, ...cycle]);
    const known = this.nameOf({ ...breach, space, history });
    return [{ law: breach.law.name, finding: breach.finding, known, path, cycle, count: 1 }];
  }
}

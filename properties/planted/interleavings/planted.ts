import type { TaskBreach } from '../../../checker/interleavings/judge.ts';
import { Judge } from '../../../checker/interleavings/judge.ts';
import { lively } from '../../../checker/interleavings/liveness.ts';
import { explore } from '../../../checker/interleavings/search.ts';
import { Space } from '../../../checker/interleavings/space.ts';
import type { Edit } from '../../../model/core/link.ts';
import { linkKernel } from '../../../model/step.ts';
import type { Grain } from '../../../model/task/advance.ts';
import type { TaskLaw } from '../../law/interleaving-law.ts';
import type { Scenario } from '../../observed/scenario.ts';

/** A deliberate fault in one labelled part of the kernel's routines that shows when tasks are interleaved. */
export interface TaskPlanted {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly sentence: string;
  /** The real bug that it re-enacts: subject of its fix and first fixed release, when there is one. */
  readonly history: string | undefined;
  /** The law that has to find it. */
  readonly law: TaskLaw;
  /** The kernel in which it is looked for, and what is overridden there. */
  readonly profile: string;
  /** None: what is overridden is the fault, and `sound` is the kernel without it. */
  readonly edits: readonly Edit[];
  readonly sound?: string;
  /** Cut at every instruction: it shows where nothing can be seen from outside. */
  readonly grain?: 'instruction';
  /** The smallest scenario that shows it. */
  readonly scenario: Omit<Scenario, 'profile'>;
  /** What its law says then: what is expected / what is observed. */
  readonly finding: string;
  /** Moves from the first state to the breach: the fewest. */
  readonly moves: number;
}

/** What was found of one law in a scenario. */
export interface Answer {
  /** The nearest breach as `expected / observed`, and the moves to it. */
  readonly finding: string | undefined;
  readonly moves: number;
  readonly states: number;
  /** Every state was looked at, or a breach was found. */
  readonly complete: boolean;
  /** How often the law had a say. */
  readonly witness: number;
}

/** States that a scenario of a planted bug has at the most. */
const STATES = 90_000;

/** The nearest breach of a law in a space. */
export interface Nearest {
  readonly breach: TaskBreach | undefined;
  /** Moves to the breach: the fewest. Then those that lead back to where it is, where all ways do. */
  readonly path: readonly number[];
  readonly cycle: readonly number[];
  readonly states: number;
  /** Every state was looked at, or a breach was found. */
  readonly complete: boolean;
  /** How often the law had a say. */
  readonly witness: number;
}

/** Asks one law in a scenario, in a kernel with these faults. */
export function askLaw(
  law: TaskLaw,
  scenario: Scenario,
  edits: readonly Edit[],
  grain: Grain = 'visible',
): Answer {
  const { breach, path, states, complete, witness } = nearestBreach(
    law,
    new Space(scenario, { program: linkKernel(edits), grain }),
  );
  return { finding: textOf(breach), moves: path.length, states, complete, witness };
}

/** Looks for a breach of one law in all states of a space, the nearest first. */
export function nearestBreach(law: TaskLaw, space: Space): Nearest {
  return law.isLiveness === true ? nearestTrap(law, space) : nearestEvent(law, space);
}

function nearestEvent(law: TaskLaw, space: Space): Nearest {
  const { breaches, states, complete, witnesses } = explore(space, { laws: [law], states: STATES });
  const [breach] = breaches;
  return {
    breach,
    path: breach?.path ?? [],
    cycle: [],
    states,
    complete: complete || breach !== undefined,
    witness: witnesses.get(law.name) ?? 0,
  };
}

function nearestTrap(law: TaskLaw, space: Space): Nearest {
  const { trap, states, complete } = lively(space, STATES);
  const breach = trap === undefined ? undefined : new Judge(space, [law], space.program).trapped(trap);
  return {
    breach,
    path: trap?.path ?? [],
    cycle: trap?.cycle ?? [],
    states,
    complete,
    witness: Number(complete),
  };
}

function textOf(breach: TaskBreach | undefined): string | undefined {
  return breach === undefined ? undefined : `${breach.finding.expected} / ${breach.finding.observed}`;
}

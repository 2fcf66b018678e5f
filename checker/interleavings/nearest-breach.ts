import type { Edit } from '../../model/core/link.ts';
import { linkKernel } from '../../model/step.ts';
import type { Grain } from '../../model/task/advance.ts';
import { inOneLine } from '../../properties/finding/render.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { concreteHistory } from './cause/history.ts';
import type { TaskBreach } from './judge.ts';
import { Judge } from './judge.ts';
import { lively } from './liveness.ts';
import type { Occurrence } from './occurrence.ts';
import { explore } from './search.ts';
import { shortestWay } from './shortest-way.ts';
import { Space } from './space.ts';

/** The result for one law in a scenario. */
export interface NearestAnswer {
  /** The nearest breach as `expected / observed`, and the moves to it. */
  readonly finding: string | undefined;
  readonly moves: number;
  readonly states: number;
  /** Every state was visited, or a breach was found. */
  readonly complete: boolean;
  /** How often the law applied. */
  readonly witness: number;
}

/** States that a scenario of a planted bug or of a known breach has at most. */
const STATES = 130_000;

/** The nearest breach of a law in a space, or the nearest of those that are sought. */
export interface Nearest {
  readonly breach: TaskBreach | undefined;
  /** No breach of the law that is not sought is nearer. */
  readonly isFirst: boolean;
  /** Moves to the breach: the fewest. Then those of the cycle back to it, if all paths return. */
  readonly path: readonly number[];
  readonly cycle: readonly number[];
  readonly states: number;
  /** Every state was visited, or a breach was found. */
  readonly complete: boolean;
  /** How often the law applied. */
  readonly witness: number;
}

/** The nearest breach in its context, and the fewest moves to it. */
export type NearestOccurrence = Occurrence & Pick<Nearest, 'path'>;

/** Checks one law in a scenario, in a kernel with these faults. */
export function askLaw(
  law: TaskLaw,
  scenario: Scenario,
  edits: readonly Edit[],
  grain: Grain = 'visible',
): NearestAnswer {
  const space = new Space(scenario, { program: linkKernel(edits), grain });
  const { breach, path, cycle, states, complete, witness } = nearestBreach(law, space);
  const nearest = breach && shortestWay(space, { breach, path, cycle });
  return { finding: textOf(nearest?.breach), moves: nearest?.path.length ?? 0, states, complete, witness };
}

/** The same with the path to it, for finding its cause; undefined: there is none. */
export function nearestOccurrence(
  law: TaskLaw,
  space: Space,
  isSought?: IsSought,
): NearestOccurrence | undefined {
  return occurrenceOf(nearestBreach(law, space, STATES, isSought), space);
}

export function occurrenceOf({ breach, path }: Nearest, space: Space): NearestOccurrence | undefined {
  return breach && { ...breach, space, path, history: () => concreteHistory(space, path) };
}

/** Whether a search is for this breach, where the law has several in one space. */
export type IsSought = (breach: Occurrence) => boolean;

/** Searches for a breach of one law in all states of a space, breadth first. */
export function nearestBreach(law: TaskLaw, space: Space, states = STATES, isSought?: IsSought): Nearest {
  return law.isLiveness === true
    ? nearestTrap(law, space, states)
    : nearestEvent(law, space, states, isSought);
}

function nearestEvent(law: TaskLaw, space: Space, most: number, isSought: IsSought = () => true): Nearest {
  const { breaches, states, complete, witnesses } = explore(space, {
    laws: [law],
    states: most,
    nameOf: (breach) => (isSought(breach) ? undefined : NOT_SOUGHT),
  });
  const breach = breaches.find(({ known }) => known === undefined);
  return {
    breach,
    isFirst: breaches[0] === breach,
    path: breach?.path ?? [],
    cycle: [],
    states,
    complete: complete || breach !== undefined,
    witness: witnesses.get(law.name) ?? 0,
  };
}

const NOT_SOUGHT = 'not sought';

function nearestTrap(law: TaskLaw, space: Space, most: number): Nearest {
  const { trap, states, complete } = lively(space, most);
  const breach = trap === undefined ? undefined : new Judge(space, [law], space.program).trapped(trap);
  return {
    breach,
    isFirst: true,
    path: trap?.path ?? [],
    cycle: trap?.cycle ?? [],
    states,
    complete,
    witness: Number(complete),
  };
}

function textOf(breach: TaskBreach | undefined): string | undefined {
  return breach === undefined ? undefined : inOneLine(breach.finding);
}

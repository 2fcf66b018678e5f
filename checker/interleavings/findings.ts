import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { StatePaths } from './cause/history.ts';
import { Histories } from './cause/history.ts';
import type { TaskBreach } from './judge.ts';
import type { Occurrence } from './occurrence.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';

/** The first occurrence of a breach: by the fewest moves. */
export interface FoundBreach extends TaskBreach {
  /** The name under which it is listed. */
  readonly known: string | undefined;
  readonly path: readonly number[];
  /** States, or ends of calls and operations, that show it. */
  count: number;
}

/** What a search does with a breach. */
export interface Naming {
  /** The name under which a breach is listed; undefined: it is new. */
  readonly nameOf?: (breach: Occurrence) => string | undefined;
  /** Whether a new breach ends the search; otherwise it is counted, and the search continues. */
  readonly stopsAt?: (breach: Occurrence) => boolean;
}

/** Where a breach is: in a state of the search, or in a move from there. */
export interface BreachPlace {
  readonly from: number;
  readonly move?: number;
  readonly next?: PackedState | undefined;
}

/** The breaches that a search has found, each kind once. */
export class Findings {
  readonly breaches = new Map<string, FoundBreach>();
  private readonly histories: Histories;

  constructor(
    private readonly space: Space,
    private readonly paths: StatePaths,
    private readonly naming: Naming,
  ) {
    this.histories = new Histories(space, paths);
  }

  /** Counts a breach; answers whether it ends the search. */
  note(breach: TaskBreach, { from, move, next }: BreachPlace): boolean {
    const { nameOf, stopsAt } = this.naming;
    const history = () => this.histories.to(from, move, next);
    const occurrence: Occurrence = { ...breach, space: this.space, history };
    const known = nameOf?.(occurrence);
    const key = keyOf({ ...breach, known });
    const seen = this.breaches.get(key);
    if (seen !== undefined) seen.count++;
    else {
      const path = this.paths.pathTo(from);
      this.breaches.set(key, {
        ...breach,
        known,
        path: move === undefined ? path : [...path, move],
        count: 1,
      });
    }
    return known === undefined && (stopsAt?.(occurrence) ?? true);
  }

  /** Puts saved breaches back, with their laws. */
  restore(breaches: readonly FoundBreach[]): void {
    for (const found of breaches) this.breaches.set(keyOf(found), found);
  }
}

/** Breaches of one law with equal findings, listed under the same name or under none, are one. */
export function keyOf({
  law,
  finding,
  known,
}: {
  readonly law: Pick<TaskLaw, 'name'>;
  readonly finding: TaskBreach['finding'];
  readonly known: string | undefined;
}): string {
  return `${law.name} ${known ?? ''} ${JSON.stringify(finding)}`;
}

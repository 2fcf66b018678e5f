import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { BoundedSearch, SavedBound } from './bounded-search.ts';
import type { CallerPart, ClientParts, Work } from './parts.ts';
import type { InterleavingSearch, Progress } from './search.ts';
import type { Space } from './space.ts';
import type { SavedStates } from './store.ts';
import type { SavedWorlds } from './worlds.ts';

/** An interrupted search, as plain data: it resumes in another process with the same results. */
export interface Checkpoint {
  readonly progress: Progress;
  readonly states: SavedStates;
  readonly worlds: SavedWorlds;
  readonly callers: readonly CallerPart[];
  readonly clients: readonly ClientParts[];
  readonly works: readonly (readonly Work[])[];
  readonly breaches: readonly SavedBreach[];
  readonly witnesses: readonly (readonly [string, number])[];
  /** Of a search with a bound on preemptions. */
  readonly bound?: SavedBound;
}

/** A search that can be interrupted. */
export type ResumableSearch = InterleavingSearch | BoundedSearch;

/** A breach, with its law by name. */
export interface SavedBreach {
  readonly law: string;
  /** The name under which it is listed. */
  readonly known: string | undefined;
  readonly finding: TaskFinding;
  readonly path: readonly number[];
  /** Moves of a trap back to it. */
  readonly cycle?: readonly number[];
  readonly count: number;
}

/** The whole state of a search. It may share parts with the search: write it, do not change it. */
export function save(space: Space, search: ResumableSearch): Checkpoint {
  return {
    progress: { ...search.progress },
    states: search.store.saved(),
    worlds: space.worlds.saved(),
    callers: space.callers.values,
    clients: space.clients.values,
    works: space.works.values,
    breaches: [...search.findings.breaches.values()].map(({ law, ...found }) => ({
      ...found,
      law: law.name,
    })),
    witnesses: [...search.judge.witnesses],
    ...('savedBound' in search ? { bound: search.savedBound() } : {}),
  };
}

/** Restores a saved search into a new one of the same space. */
export function restore(
  space: Space,
  search: ResumableSearch,
  laws: readonly TaskLaw[],
  saved: Checkpoint,
): void {
  space.worlds.restore(saved.worlds);
  space.callers.restore(saved.callers);
  space.clients.restore(saved.clients);
  space.works.restore(saved.works);
  search.store.restore(saved.states);
  if (saved.bound !== undefined && 'restoreBound' in search) search.restoreBound(saved.bound);
  Object.assign(search.progress, saved.progress);
  for (const { law: name, ...found } of saved.breaches) {
    const law = laws.find((law) => law.name === name);
    if (law === undefined) throw new Error(`the law ${name} is no longer checked`);
    search.findings.restore([{ ...found, law }]);
  }
  for (const [law, times] of saved.witnesses) search.judge.witnesses.set(law, times);
}

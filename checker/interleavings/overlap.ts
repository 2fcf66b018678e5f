import type { Ended } from '../../model/core/world.ts';
import type { Space } from './space.ts';
import { conditionIn, RUNNING, standingIn } from './state.ts';
import type { Store } from './store.ts';

/*
 * Whether anything of a scenario is interleaved at all: an operation that is refused in its first step, whatever the
 * other actors do, overlaps with nothing, and a search of only such operations has no interleaving to explore.
 */

/** The outcomes of one operation of a client, in all states of a search. */
export interface OperationFate {
  readonly client: number;
  /** Which of its client's operations, from 0. */
  readonly nth: number;
  /** Its answers; none: it never ended. */
  readonly answers: readonly Ended[];
  /** It was in progress between two steps. */
  readonly takesTime: boolean;
  /** Another actor was in progress then, or when it ran in one step and succeeded. */
  readonly overlaps: boolean;
}

/** The outcomes of a scenario's operations in the states that were found, client by client. */
export function fatesOf(space: Space, store: Store): OperationFate[] {
  const seen = space.scenario.clients.map((script) => script.map(() => new Seen()));
  const { layout } = space;
  for (let number = 0; number < store.size; number++) {
    const state = store.get(number);
    let busy = 0;
    for (let i = 0; i < layout.callers; i++) if (conditionIn(standingIn(state, i)) >= RUNNING) busy++;
    if (space.worksOf(state).length > 0) busy++;
    for (let i = 0; i < layout.clients; i++) if (space.clientOf(state, i).frames !== null) busy++;
    for (let i = 0; i < layout.clients; i++) {
      const { answers, frames } = space.clientOf(state, i);
      const fates = seen[i]!;
      const last = answers.length - 1;
      if (last >= 0) fates[last]!.answers.add(answers[last]!);
      const next = fates[answers.length];
      if (next === undefined) continue;
      if (frames !== null) next.takesTime = true;
      if (busy > (frames === null ? 0 : 1)) next[frames === null ? 'meets' : 'overlaps'] = true;
    }
  }
  return seen.flatMap((script, client) => script.map((own, nth) => ({ client, nth, ...own.fate() })));
}

/** The observations of one operation. */
class Seen {
  readonly answers = new Set<Ended>();
  takesTime = false;
  overlaps = false;
  /** Another actor was in progress before it began. */
  meets = false;

  fate(): Omit<OperationFate, 'client' | 'nth'> {
    const { takesTime } = this;
    const isDoneBeside = !takesTime && this.meets && this.answers.has(0);
    const answers = [...this.answers].toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
    return { answers, takesTime, overlaps: this.overlaps || isDoneBeside };
  }
}

/** It has answered an errno in its first step, in every state. */
export function isRefusedAtOnce({ answers, takesTime }: OperationFate): boolean {
  return !takesTime && answers.length > 0 && answers.every((answer) => answer !== 0);
}

/** Nothing of it was interleaved: no operation overlapped with anything. */
export function nothingOverlapped(fates: readonly OperationFate[]): boolean {
  return fates.length > 0 && fates.every(({ overlaps }) => !overlaps);
}

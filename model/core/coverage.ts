import { DO } from './instruction.ts';
import type { LinkedRoutines } from './link.ts';

/** A labelled step of a routine: a change, a test, a lock, a wait, a call. */
export interface CoveredStep {
  readonly routine: string;
  readonly id: string;
  readonly isExecuted: boolean;
}

/** Instructions that belong to a step that has another one. */
const OF_OTHERS: ReadonlySet<number> = new Set([
  DO.UNLOCK,
  DO.JUMP,
  DO.NEXT,
  DO.ROLLBACK,
  DO.REFAIL,
  DO.RETURN,
]);

/** The steps of all routines, in their order: a label of a routine counts once, and is executed if one with it is. */
export function coverage({ instructions, executed }: LinkedRoutines): CoveredStep[] {
  const steps = new Map<string, CoveredStep>();
  for (const [pc, { do: kind, routine, id }] of instructions.entries()) {
    if (OF_OTHERS.has(kind)) continue;
    const name = stepName({ routine, id });
    const isExecuted = executed[pc] === 1 || steps.get(name)?.isExecuted === true;
    steps.set(name, { routine, id, isExecuted });
  }
  return [...steps.values()];
}

/** `ftrace_startup: add the ops to the list`. */
export function stepName({ routine, id }: Pick<CoveredStep, 'routine' | 'id'>): string {
  return `${routine}: ${id}`;
}

/** Notes what another thread with the same program has executed. */
export function noteExecuted({ executed }: LinkedRoutines, elsewhere: Uint8Array): void {
  for (const [pc, is] of elsewhere.entries()) if (is === 1) executed[pc] = 1;
}

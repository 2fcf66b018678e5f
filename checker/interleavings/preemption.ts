import type { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import { conditionIn, OVER, RUNNING, standingIn, worldIn } from './state.ts';

/*
 * Reduction: a task is preempted only if another task can use its CPU, or if it could continue on a CPU that sees
 * other text.
 *
 * Otherwise the CPU idles until the same task returns to the same view of text. A preempted task does nothing;
 * a running task that is never chosen does nothing either, so every path with such a preemption has a path
 * without it, with the same moves of all other actors. Those need no CPU of the model: clients and background
 * work always have a move. No grace period distinguishes the two tasks: `isWaitedFor()` answers alike for a
 * preempted task and for a running one with preemption enabled, and with preemption disabled there is no such
 * move. Sleeping is never left out: it does end grace periods of RCU-tasks. `reductions.test.ts` compares both
 * searches.
 */

/** Whether preempting a running task can make a difference. */
export function isCpuWanted(tables: SpaceTables, state: PackedState, i: number): boolean {
  const { callers } = tables.layout;
  for (let other = 0; other < callers; other++) {
    const condition = conditionIn(standingIn(state, other));
    if (other !== i && condition !== OVER && condition !== RUNNING) return true;
  }
  const [[first, ...others]] = tables.cpusOf(worldIn(state));
  return others.some((view) => view !== first && JSON.stringify(view) !== JSON.stringify(first));
}

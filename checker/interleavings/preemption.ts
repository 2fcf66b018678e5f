import type { CallRunner } from '../../model/call/caller.ts';
import type { Profile } from '../../model/core/profile.ts';
import { maySleep } from './calls.ts';
import type { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import { callerIn, conditionIn, OVER, RUNNING, standingIn, worldIn } from './state.ts';

/**
 * Where a task in its call can lose its CPU. With `preempt=full` anywhere with preemption enabled. With `voluntary` and
 * `none` only where it calls cond_resched(): it can do so wherever it may sleep, and nowhere else.
 */
export class Preemption {
  private readonly sleeps: boolean[] = [];

  constructor(
    private readonly model: Profile['preemption'],
    private readonly tables: SpaceTables,
    private readonly runner: CallRunner,
  ) {}

  /** It may sleep, and so reschedule, at its place. Depends on the caller alone. */
  maySleep(state: PackedState, i: number): boolean {
    const number = callerIn(state, i);
    const known = this.sleeps[number];
    if (known !== undefined) return known;
    const caller = this.tables.callers.get(number);
    const found = caller !== null && maySleep(this.runner, this.tables.kernelOf(state), caller);
    this.sleeps[number] = found;
    return found;
  }

  /** Running with preemption enabled, it keeps its CPU all the same. */
  keepsCpu(state: PackedState, i: number): boolean {
    if (this.model === 'full' || conditionIn(standingIn(state, i)) !== RUNNING) return false;
    return !this.maySleep(state, i);
  }
}

/*
 * Reduction: a task is preempted only if another task can use its CPU, or if it could continue on a CPU that sees
 * other text.
 *
 * Otherwise the CPU idles until the same task returns to the same view of text. A preempted task does nothing;
 * a running task that is never chosen does nothing either, so every path with such a preemption has a path
 * without it, with the same moves of all other actors. Those need no CPU of the model: clients and background
 * work always have a move. No grace period distinguishes the two tasks: `isWaitedFor()` answers alike for a
 * preempted task and for a running one that can be preempted, and for one that cannot there is no such move.
 * Sleeping is never left out: it does end grace periods of RCU-tasks. `reductions.test.ts` compares both searches.
 */

/** Whether preempting a running task can make a difference. */
export function isCpuWanted(tables: SpaceTables, state: PackedState, i: number): boolean {
  const { callers } = tables.layout;
  for (let other = 0; other < callers; other++) {
    const condition = conditionIn(standingIn(state, other));
    if (other !== i && condition !== OVER && condition !== RUNNING) return true;
  }
  return tables.viewsDiffer(worldIn(state));
}

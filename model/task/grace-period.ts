import type { Flavour } from '../core/part.ts';
import { unreachable } from '../core/unreachable.ts';
import type { Current } from './current.ts';

/** Where a task is: on a CPU, kept from one, asleep of its own will, or not in the kernel's text at all. */
export type Condition = 'running' | 'preempted' | 'asleep' | 'outside';

/** What a grace period sees of a task. */
export interface TaskStanding {
  readonly condition: Condition;
  readonly current: Current;
  /** `preempt=voluntary` or `none`, at a place that does not reschedule: its CPU switches to no other task. */
  readonly keepsCpu: boolean;
  /** The idle task, in code where RCU is not watching: no flavour but rude sees it. */
  readonly idle: boolean;
}

/**
 * Whether a grace period that begins now has to wait for a task, and one that has begun still has to (kernel/rcu/tree.c,
 * kernel/rcu/tasks.h):
 *
 * ```text
 *   rcu               until it is in no read-side section: none of RCU's, and preemption is on
 *   rcu_tasks         until it has slept of its own will, or has left the kernel
 *   rcu_tasks_rude    until its CPU has switched to another task
 *   rcu_tasks_trace   until it is in no section of rcu_read_lock_trace(); a period of RCU passes as well
 *   percpu_ref        as rcu: killing the counter makes it exact by one; then it has to be zero
 *   workqueue         for no task
 * ```
 *
 * With `preempt=voluntary` and `none` too, a kernel with CONFIG_PREEMPT_DYNAMIC has the RCU of a preemptible one
 * (CONFIG_PREEMPT_RCU, CONFIG_TASKS_RCU).
 */
export function isWaitedFor(flavour: Flavour, { condition, current, keepsCpu, idle }: TaskStanding): boolean {
  if (condition === 'outside') return false;
  const reads = !idle && (current.rcu > 0 || current.preemptOff > 0);
  switch (flavour) {
    case 'rcu':
    case 'percpu_ref':
      return reads;
    case 'rcu_tasks':
      return reads || (!idle && condition !== 'asleep');
    case 'rcu_tasks_rude':
      return condition === 'running' && (idle || keepsCpu || current.preemptOff > 0);
    case 'rcu_tasks_trace':
      return reads || current.rcuTrace > 0;
    case 'workqueue':
      return false;
    default:
      return unreachable(flavour);
  }
}

import type { Part } from '../core/part.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { RoutineWords } from '../core/routine.ts';
import type { World } from '../core/world.ts';

/**
 * Nesting counts of what the running task has disabled. Grace periods check it
 * (`grace-period.ts`). All are zero outside of a call.
 */
export interface Current {
  /** `preempt_disable()`, and interrupts: the task keeps its CPU. */
  preemptOff: number;
  /** `rcu_read_lock()`. */
  rcu: number;
  /** `rcu_read_lock_trace()`. */
  rcuTrace: number;
  /** `migrate_disable()`: the task may lose its CPU, and resumes on the same one. */
  migrateOff: number;
}

/** A kernel in which tasks run. */
export interface TaskWorld extends World {
  current: Current;
}

/** The same for those who only look. */
export type TaskView = DeepReadonly<TaskWorld>;

/** The parts between preempt_disable() and preempt_enable(). */
export function withoutPreemption<S extends TaskWorld, L>(
  { step }: RoutineWords<S, L>,
  parts: readonly Part[],
): Part[] {
  return [
    step('preempt_disable', (k) => {
      k.current.preemptOff++;
    }),
    ...parts,
    step('preempt_enable', (k) => {
      k.current.preemptOff--;
    }),
  ];
}

export function nothingForbidden(): Current {
  return { preemptOff: 0, rcu: 0, rcuTrace: 0, migrateOff: 0 };
}

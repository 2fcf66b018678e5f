import type { Part } from '../core/part.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { RoutineWords } from '../core/routine.ts';
import type { World } from '../core/world.ts';

/** `interrupt_context_level()`: a task, a soft interrupt, a hardware interrupt, an NMI. */
export type Context = 0 | 1 | 2 | 3;

export const TASK = 0;
export const SOFTIRQ = 1;
export const IRQ = 2;
export const NMI = 3;

/**
 * Nesting counts of what the running task has disabled, which grace periods check (`grace-period.ts`), and what it is
 * in the middle of. All are zero outside of a call.
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
  /** What runs on top of the task, by `preempt_count`. */
  context: Context;
  /** An interrupt that `preempt_count` does not count yet. */
  early: boolean;
  /** `current->trace_recursion`. */
  recursion: number;
  /** `current_kprobe` of its CPU, which it keeps until that is NULL again. */
  kprobe: boolean;
  /** `bpf_prog_active` of its CPU, likewise. */
  bpfProgActive: number;
  /** Contexts in which a perf event's record is being written, as bits: those of `swevent_htable.recursion`. */
  perfRecursion: number;
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
  return {
    preemptOff: 0,
    rcu: 0,
    rcuTrace: 0,
    migrateOff: 0,
    context: 0,
    early: false,
    recursion: 0,
    kprobe: false,
    bpfProgActive: 0,
    perfRecursion: 0,
  };
}

import type { Profile } from '../core/profile.ts';
import type { CFunctions } from '../text/cpu.ts';
import type { TracepointWorld } from './tracepoint.ts';

/*
 * The read-side section around the probes of a hit. It decides which grace period an array has to wait for, and
 * whether a task can be preempted or sleep in a probe.
 *
 * ```text
 *   6.1, 6.12   preempt_disable_notrace()            call_rcu()
 *   7.2         srcu_read_lock_fast_notrace()        call_rcu() and call_srcu(), one after the other
 *   faultable   rcu_read_lock_tasks_trace()          call_rcu_tasks_trace()
 * ```
 */

/** Two functions by name, and what the first of them forbids. */
export interface ReadSection {
  readonly enter: string;
  readonly exit: string;
  /** A section of tracepoint_srcu counts as one of RCU: it may be preempted, and both are waited for together. */
  readonly counts: 'preemptOff' | 'rcu' | 'rcuTrace';
}

/** __DO_TRACE() up to 6.12: preemption off around the static call. */
const PREEMPTION_OFF: ReadSection = {
  enter: 'preempt_disable_notrace',
  exit: 'preempt_enable_notrace',
  counts: 'preemptOff',
};
/** 7.2: `tracepoint_srcu`, so that a probe can be preempted. */
const SRCU: ReadSection = {
  enter: 'srcu_read_lock_fast_notrace',
  exit: 'srcu_read_unlock_fast_notrace',
  counts: 'rcu',
};
/** System calls since 6.13: a probe may fault, and so sleep. */
const TASKS_TRACE: ReadSection = {
  enter: 'rcu_read_lock_tasks_trace',
  exit: 'rcu_read_unlock_tasks_trace',
  counts: 'rcuTrace',
};

const SECTIONS = [PREEMPTION_OFF, SRCU, TASKS_TRACE];

/** `__DECLARE_TRACE()` and `__DECLARE_TRACE_SYSCALL()`, include/linux/tracepoint.h. */
export function sectionOf({ tracepointSection }: Profile, faultable: boolean): ReadSection {
  if (faultable) return TASKS_TRACE;
  return tracepointSection === 'srcu' ? SRCU : PREEMPTION_OFF;
}

/** Enter and exit as counters of the task, which grace periods check. */
function counting(field: ReadSection['counts'], by: 1 | -1): CFunctions<TracepointWorld>[string] {
  return {
    atOnce: ({ current }) => {
      current[field] += by;
    },
  };
}

/** Both functions of all sections. */
export const SECTION_FUNCTIONS: CFunctions<TracepointWorld> = Object.fromEntries(
  SECTIONS.flatMap(({ enter, exit, counts }) => [
    [enter, counting(counts, 1)],
    [exit, counting(counts, -1)],
  ]),
);

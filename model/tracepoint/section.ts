import type { Profile } from '../core/profile.ts';
import type { Current } from '../task/current.ts';
import type { CFunctions } from '../text/cpu.ts';
import type { TracepointWorld } from './tracepoint.ts';

/** What stands around the probes of a hit: two functions by name, and what the first of them forbids. */
export interface ReadSection {
  readonly enter: string;
  readonly exit: string;
  /** A section of tracepoint_srcu counts as one of RCU: it may be preempted, and both are waited for together. */
  readonly counts: 'preemptOff' | 'rcu' | 'rcuTrace';
}

const PREEMPTION_OFF: ReadSection = {
  enter: 'preempt_disable_notrace',
  exit: 'preempt_enable_notrace',
  counts: 'preemptOff',
};
const SRCU: ReadSection = {
  enter: 'srcu_read_lock_fast_notrace',
  exit: 'srcu_read_unlock_fast_notrace',
  counts: 'rcu',
};
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

function counting(field: keyof Current, by: 1 | -1): CFunctions<TracepointWorld>[string] {
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

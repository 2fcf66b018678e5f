import type { StandingPattern } from '../../checker/interleavings/cause/pattern.ts';
import type { SpotSection } from '../../checker/interleavings/cause/spot.ts';
import { KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS } from '../../model/ftrace/arm-kprobe.ts';

/** Where tasks are in the causes of several known breaches. */

export const IN_ITS_CALL: StandingPattern = {
  in: ['routine', 'C function', 'program', 'image', 'code'],
};

export const ALL_SECTIONS: readonly SpotSection[] = ['preemption off', 'rcu', 'rcu trace'];

/** Static kernel data: registered and unregistered again and again. */
export const OPS_OF_KPROBES: readonly string[] = [KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS];

export const ON_OPS_OF_KPROBES: StandingPattern = {
  within: ['arch_ftrace_ops_list_func'],
  ops: OPS_OF_KPROBES,
};

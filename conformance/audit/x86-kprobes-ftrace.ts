import { NO_ANSWERS } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, branches, gotos, modelled, omitted, returns, SINCE_6_12 } from './row.ts';

/** Kprobes at call sites. */
export const X86_KPROBES_FTRACE: Audit = {
  file: 'arch/x86/kernel/kprobes/ftrace.c',
  functions: [
    {
      fn: 'kprobe_ftrace_handler',
      in: ALL,
      rows: [
        returns(
          SINCE_6_12,
          'ftrace is dead (kprobe_ftrace_disabled)',
          modelled('kprobe_ftrace_handler: kprobes are disarmed'),
        ),
        returns(ALL, 'the recursion bit is taken', modelled('kprobe_ftrace_handler: it is not recursive')),
        gotos(
          ALL,
          'out: no kprobe, or a disabled one',
          modelled('kprobe_ftrace_handler: there is one that is enabled'),
        ),
        branches(
          ALL,
          'a kprobe handler runs on the CPU; a miss is counted, no handler is called',
          modelled('kprobe_ftrace_handler: a kprobe is running on this CPU'),
        ),
        branches(ALL, 'a pre_handler answers nonzero, and no post_handler is called', omitted(NO_ANSWERS)),
      ],
    },
  ],
};

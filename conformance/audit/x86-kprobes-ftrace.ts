import { RECURSION } from './reasons.ts';
import type { Audit } from './row.ts';
import { ALL, gotos, modelled, omitted, returns, SINCE_6_12 } from './row.ts';

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
        returns(ALL, 'the recursion bit is taken', omitted(RECURSION)),
        gotos(
          ALL,
          'out: no kprobe, or a disabled one',
          modelled('kprobe_ftrace_handler: there is one that is enabled'),
        ),
        returns(
          ALL,
          'none: a kprobe handler runs on the CPU; a miss is counted, no handler is called',
          omitted(RECURSION),
        ),
        returns(
          ALL,
          'none: a pre_handler answers nonzero, and no post_handler is called',
          omitted('docs/scope.md, not modelled: return values of kprobe handlers'),
        ),
      ],
    },
  ],
};

import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { KnownAttach } from './attach.ts';

/** What breaks a law only with multi links of a design that no kernel has. */
export const KNOWN_OF_DESIGNS: readonly KnownAttach[] = [
  {
    name: 'rollback-keeps-regs',
    sentence:
      'A link is attached to one function, refused for the next, and taken off the first again, all with kernel.ftrace_enabled=0: the record keeps REGS, as after a single link that came and went.',
    evidence:
      'kernel/trace/ftrace.c of all three  ftrace_shutdown: nothing clears the flags of a record without users while tracing is off',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.1', '6.12', '7.2'],
    multiLinks: 'one by one',
    shows: /ftrace\/records\/\w+\/flags is \d+, as before \/ it is \d+$/,
    when: ({ moment: { before, after } }) =>
      !after.ftrace.enabled &&
      Object.entries(after.ftrace.records).some(
        ([ip, { count, flags }]) =>
          count === 0 && (flags & ~(before.ftrace.records[ip]?.flags ?? 0)) === FTRACE_FL_REGS,
      ),
    example:
      'f1 = function(u64 -> u64); f13 = function(u64 x13 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); sysctl kernel.ftrace_enabled=0; link#1 = BPF_LINK_CREATE(prog#1, { f1, f13 })',
  },
];

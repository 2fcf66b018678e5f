import { FPROBE_GRAPH_OPS } from '../../model/ftrace/fprobe-users.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { isAnotherAddress, takesTheDescriptor } from './attach-by-address.ts';
import { isToldOfOthers } from './attach-firings.ts';
import { couldNotLeaveTheManager, hasFailed, hasJoinedAnother, stepsOf } from './cause.ts';

/** WARNs of calls that hand over nothing wrong, or that are accepted all the same. */
export const KNOWN_WARNINGS: readonly KnownAttach[] = [
  known({
    name: 'wrong-address-warns',
    sentence:
      'unregister_ftrace_direct(ip, addr) with a wrong address removes the direct call, warns unless the address has a descriptor, and returns 0; if it has one, its last site warns as it leaves.',
    evidence: 'recorded on 6.1.192 (s 1000/6, 1001/6; correction 13)',
    law: 'ftrace/no-warning-without-misuse',
    kernels: ['6.1'],
    finding: 'call-warns',
    when: ({ warnings }, breach) => {
      const { action, before, outcome } = breach.moment;
      if (action.do !== 'unregister_ftrace_direct(ip)' || outcome.errno !== 0) return false;
      return (
        warnings.every(({ is }) => is === 'no descriptor') &&
        (isAnotherAddress(before.ftrace.directFunctions[action.ip], action.addr) ||
          stepsOf(breach).some((step) => takesTheDescriptor(step, action.addr)))
      );
    },
    restsOn: ['directApi'],
    example: 'register_ftrace_direct(f1, my_tramp1); unregister_ftrace_direct(f1, my_tramp2)',
  }),
  known({
    name: 'fprobes-warn-of-a-return-that-another-user-follows',
    sentence:
      'The user of function graph with index 0 sees every return that any other user follows: where that is the one of the fprobes, fprobe_return() finds nothing of its own, and warns.',
    evidence:
      'recorded on 7.2.13 (common 72); kernel/trace/fprobe.c  fprobe_return: WARN_ON_ONCE(!fgraph_data)',
    law: 'ftrace/no-warning-without-misuse',
    kernels: ['7.2'],
    finding: 'call-warns',
    when: ({ warnings }, { moment: { after } }) =>
      warnings.every(({ is }) => is === 'unwanted return') && isToldOfOthers(after, FPROBE_GRAPH_OPS),
    restsOn: ['fgraph', 'fprobe'],
    example:
      'register_fprobe_ips(fprobe#1, { f1 }, exit_handler); register_ftrace_graph(gops#1); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'kprobe-is-disarmed-by-another-ops-and-warns',
    sentence:
      'A kprobe with a post_handler that joined one without is disarmed through kprobe_ipmodify_ops, which does not trace the function: a WARN in __disarm_kprobe_ftrace().',
    evidence:
      'defect 2 (set bug, 6000 to 6002); kernel/kprobes.c  disarm_kprobe_ftrace, __disarm_kprobe_ftrace',
    law: 'ftrace/no-warning-without-misuse',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'call-warns',
    when: ({ warnings }, breach) =>
      warnings.every(({ is }) => is === 'kprobe not disarmed') && hasJoinedAnother(breach),
    restsOn: [],
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); unregister_kprobe(kprobe#1); unregister_kprobe(kprobe#2)',
  }),
  known({
    name: 'direct-call-without-memory-to-leave-warns',
    sentence:
      'unregister_ftrace_direct(ip, addr) takes its function off the filter of direct_ops, which needs memory: without it a WARN, and the site stays.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: WARN_ON(ret) of ftrace_set_filter_ip()',
    law: 'ftrace/no-warning-without-misuse',
    kernels: ['6.1'],
    finding: 'call-warns',
    when: ({ action, warnings }, breach) =>
      action === 'unregister_ftrace_direct(ip)' &&
      warnings.every(({ is }) => is === 'not in direct_ops') &&
      hasFailed(breach, ['unregister_ftrace_direct(ip)'], 'allocation', ['ftrace_set_hash']),
    restsOn: ['directApi'],
    example:
      'register_ftrace_direct(f1, my_tramp1); the next allocation in ftrace_set_hash fails; unregister_ftrace_direct(f1, my_tramp1)',
  }),
  known({
    name: 'filter-of-a-graph-user-that-stays-warns',
    sentence:
      'The user of function graph that fprobes share could not leave for lack of memory, and its subops stays enabled: ftrace_free_filter() of it warns.',
    evidence: 'as refused-fprobe-joins-the-filter-of-all',
    law: 'ftrace/no-warning-without-misuse',
    kernels: ['7.2'],
    finding: 'call-warns',
    when: ({ warnings }, breach) =>
      warnings.every(({ is }) => is === 'filter of an enabled ops freed') && couldNotLeaveTheManager(breach),
    restsOn: ['fgraph', 'fprobe'],
    example:
      'register_fprobe_ips(fprobe#1, { f1 }, exit_handler); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); the next allocation in rebuild_hashes fails; unregister_fprobe(fprobe#1)',
  }),
];

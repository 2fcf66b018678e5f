import { FPROBE_GRAPH_OPS } from '../../model/ftrace/fprobe-users.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { isAnotherAddress } from './attach-by-address.ts';
import { isToldOfOthers } from './attach-firings.ts';

/** WARNs of calls that hand over nothing wrong, or that are accepted all the same. */
export const KNOWN_WARNINGS: readonly KnownAttach[] = [
  known({
    name: 'wrong-address-warns',
    sentence:
      'unregister_ftrace_direct(ip, addr) with a wrong address removes the direct call, warns, and returns 0.',
    evidence: 'recorded on 6.1.192 (s 1000/6, 1001/6; correction 13)',
    law: 'ftrace/no-warning-without-misuse',
    kernels: ['6.1'],
    finding: 'call-warns',
    when: ({ warnings }, { moment: { action, before, outcome } }) =>
      action.do === 'unregister_ftrace_direct(ip)' &&
      outcome.errno === 0 &&
      warnings.every(({ is }) => is === 'no descriptor') &&
      isAnotherAddress(before.ftrace.directFunctions[action.ip], action.addr),
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
];

import type { AttachFindingOf } from '../../properties/finding/attach-finding.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import type { Led } from './cause.ts';
import { failuresOf, hasFailed, isProgram, programNumber, stepsOf } from './cause.ts';

/** What calls show after a detach that lacked memory: a client still sees them, or a direct call is not made. */
export const KNOWN_BEHIND_FAILURES: readonly KnownAttach[] = [
  known({
    name: 'program-that-left-for-lack-of-memory-is-called',
    sentence:
      'A detached program leaves the list first; if the next image cannot be generated, the old one still calls it, although its link is closed.',
    evidence:
      'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_unlink_prog: hlist_del_init() before bpf_trampoline_update(); kernel/bpf/syscall.c  bpf_tracing_link_release',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.1', '6.12'],
    finding: 'hits-differ',
    when: (finding, breach) =>
      isOfOneWhoHasLeft(finding) && isProgram(finding.who) && couldNotLeave(breach, finding.who),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); the next allocation in bpf_trampoline_update fails; close(link#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'sole-graph-user-sees-functions-of-another',
    sentence:
      "A user of function graph unregisters and, for lack of memory, its functions stay in the manager's filter; the remaining user is called directly, without a check of its own filter.",
    evidence:
      'kernel/trace/fgraph.c of 6.12.117 and 7.2.13  unregister_ftrace_graph: ftrace_graph_enable_direct() whatever ftrace_shutdown_subops() answered; function_graph_enter: no ftrace_ops_test() in direct mode',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.12', '7.2'],
    restsOn: ['fgraph'],
    finding: 'hits-differ',
    when: (finding, breach) => {
      const { doDirect, directGops } = breach.moment.before.fgraph;
      return (
        (finding.kind === 'graph entry' || finding.kind === 'graph exit') &&
        isOfOneWhoHasLeft(finding) &&
        doDirect &&
        directGops === finding.who &&
        hasFailed(breach, ['unregister_ftrace_graph'], 'allocation')
      );
    },
    example:
      'ftrace_set_filter_ip(gops#2.ops, f2); register_ftrace_graph(gops#2); register_ftrace_graph(gops#1); the next allocation in __ftrace_hash_move_and_update_ops fails; unregister_ftrace_graph(gops#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'direct-call-that-failed-to-unregister-does-not-return-to-the-function',
    sentence:
      'unregister_ftrace_direct(ip) returns ENOMEM for lack of memory for the new filter, but has removed the entry: the trampoline is registered and never called.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: WARN_ON(ret) after ftrace_set_filter_ip(), and the entry is removed',
    law: 'ftrace/direct-trampoline-runs-exactly-once',
    kernels: ['6.1'],
    restsOn: ['directApi'],
    finding: 'direct-call-differs',
    when: ({ who, observed }, breach) =>
      observed.length === 0 &&
      failuresOf(breach).some(
        ({ what, action }) =>
          what === 'allocation' && action.do === 'unregister_ftrace_direct(ip)' && action.addr === who,
      ),
    example:
      'register_ftrace_direct(f1, my_tramp1); the next allocation in ftrace_set_hash fails; unregister_ftrace_direct(f1, my_tramp1); task#1 calls f1(0x5100000071000000)',
  }),
];

/** A client sees a call that it is no longer owed. */
function isOfOneWhoHasLeft({ expected, observed }: AttachFindingOf<'hits-differ'>): boolean {
  return expected === 0 && observed > 0;
}

/** A link of the program was closed without memory for the next image. */
function couldNotLeave(breach: Led, who: string): boolean {
  return stepsOf(breach).some(
    ({ before, action, after }) =>
      action.do === 'close(link)' &&
      before.bpf.links[action.link]?.prog === programNumber(who) &&
      before.fault?.what === 'allocation' &&
      before.fault.where.startsWith('bpf_trampoline_update') &&
      after.fault === null,
  );
}

import type { Action } from '../../model/client/all.ts';
import type { GraphOpsId, Ip } from '../../model/core/ids.ts';
import { knownFunction } from '../../model/trampoline/traced-function.ts';
import type { Leftover } from '../../properties/finding/answer-finding.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { hasARecordThatKeptRegs } from './attach-firings.ts';
import type { Led } from './cause.ts';
import { failuresOf, hasDestroyedAnEntry, hasFailed, hasJoinedAnother, stepsOf } from './cause.ts';

/** Leftovers after every client has detached. */
export const KNOWN_LEFTOVERS: readonly KnownAttach[] = [
  known({
    name: 'kprobe-of-another-ops-stays',
    sentence:
      'A kprobe with a post_handler joined one without: after both are unregistered, the site is still patched.',
    evidence: 'recorded on all three (bug 6000-6002; defect 2)',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'leftovers',
    when: ({ what }, breach) =>
      ['call site', 'record', 'kprobe'].includes(what[0].is) && hasJoinedAnother(breach),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); all grace periods end',
  }),
  known({
    name: 'entry-with-another-address-stays',
    sentence:
      'unregister_ftrace_direct() with a wrong address leaves its entries in direct_functions for good.',
    evidence: 'recorded on all three (common 0, common 1; correction 14)',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'leftovers',
    when: ({ what }, breach) =>
      what[0].is === 'direct entry' && hasLeftWithAnotherAddress(breach, what[0].of),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct_multi(direct#1, my_tramp2); all grace periods end',
  }),
  known({
    name: 'client-of-a-destroyed-entry-stays',
    sentence:
      'unregister_ftrace_direct(ip, addr) has destroyed the entry of another interface, whose client can no longer detach.',
    evidence: 'recorded on 6.1.192 (s 1001/7-8, 1047/1-3; correction 12)',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1'],
    finding: 'leftovers',
    when: ({ what }, breach) => isOfFtrace(what[0]) && hasDestroyedAnEntry(breach),
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1); all grace periods end',
  }),
  known({
    name: 'client-that-failed-to-unregister-stays',
    sentence:
      'What a detach leaves behind when it lacks memory, or fails for another reason, stays for good.',
    evidence: 'as detaching-takes-memory and ops-is-freed-on-the-list',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'leftovers',
    when: ({ what: [first] }, breach) =>
      ['call site', 'record', 'kprobe', 'descriptor', 'filter', 'enabled ops'].includes(first.is) &&
      failuresOf(breach).some(({ action }) => LEAVES.includes(action.do)),
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in ftrace_set_hash fails; unregister_kprobe(kprobe#1); all grace periods end',
  }),
  known({
    name: 'record-without-users-keeps-regs',
    sentence:
      'A function removed from the filter of a registered SAVE_REGS ops while kernel.ftrace_enabled is 0 keeps REGS and is not updated again: ftrace_shutdown() of the last ops finds it and kills ftrace.',
    evidence:
      'shown on 6.1.192, 6.12.117 and 7.2.13: a WARN in ftrace_shutdown, then ENODEV; kernel/trace/ftrace.c  test_rec_ops_needs_regs, ftrace_check_record (a record that is not enabled is ignored), ftrace_shutdown (FTRACE_WARN_ON_ONCE)',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1', '6.12', '7.2'],
    restsOn: ['disabledBySysctl'],
    finding: 'leftovers',
    when: ({ what }, breach) => isOfFtrace(what[0]) && hasARecordThatKeptRegs(breach, breach.moment.after),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); sysctl kernel.ftrace_enabled=0; unregister_kprobe(kprobe#1); sysctl kernel.ftrace_enabled=1; all grace periods end',
  }),
  known({
    name: 'graph-user-registered-twice-stays',
    sentence:
      'register_ftrace_graph() of a registered user returns EBUSY and overwrites its index: unregistering it does not find it.',
    evidence:
      'shown on 6.12.117: -16, a WARN, and the site stays patched; kernel/trace/fgraph.c  register_ftrace_graph: gops->idx is set before ftrace_startup_subops() refuses',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.12'],
    finding: 'leftovers',
    when: ({ what }, breach) =>
      isOfFtrace(what[0]) &&
      stepsOf(breach).some(
        ({ action }) => action.do === 'register_ftrace_graph' && wasRegisteredTwice(breach, action.gops),
      ),
    example: 'register_ftrace_graph(gops#1); register_ftrace_graph(gops#1); all grace periods end',
  }),
  known({
    name: 'graph-user-registered-twice-keeps-running',
    sentence: 'The same user still sees calls after it has been unregistered.',
    evidence:
      'shown on 6.12.117: the user sees the calls of another function; kernel/trace/fgraph.c  register_ftrace_graph, unregister_ftrace_graph: fgraph_array is read at the new index',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.12'],
    finding: 'hits-differ',
    when: ({ who, kind, expected, observed }, breach) =>
      kind === 'graph entry' &&
      expected === 0 &&
      observed > 0 &&
      breach.moment.after.fgraph.array.includes(who) &&
      wasRegisteredTwice(breach, who),
    example:
      'register_ftrace_graph(gops#1); register_ftrace_graph(gops#1); unregister_ftrace_graph(gops#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'graph-user-registered-twice-ends-direct-mode',
    sentence:
      'The same user counts after it has been unregistered: another, which is alone, is not called directly.',
    evidence:
      'shown on 6.12.117 as graph-user-registered-twice-keeps-running; kernel/trace/fgraph.c  unregister_ftrace_graph: ftrace_graph_active is not lowered',
    law: 'ftrace/only-graph-user-is-called-directly',
    kernels: ['6.12'],
    finding: 'graph-path-differs',
    when: ({ users }, breach) =>
      users.length === 1 &&
      breach.moment.after.fgraph.array.some(
        (name) => !users.includes(name) && wasRegisteredTwice(breach, name),
      ),
    example:
      'register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); register_ftrace_graph(gops#1); unregister_ftrace_graph(gops#1)',
  }),
  known({
    name: 'kprobe-of-another-ops-outlives-its-module',
    sentence:
      'A kprobe with a post_handler that joined one without is killed with its module through kprobe_ipmodify_ops: the ops that armed it stays registered.',
    evidence:
      'shown on 6.1.192, 6.12.117 and 7.2.13: "Failed to disarm kprobe-ftrace (error -2)", and the next kprobe with a post_handler never fires; kernel/kprobes.c  kill_kprobe: disarm_kprobe_ftrace() picks the ops by the post_handler',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'leftovers',
    when: ({ what }, breach) =>
      what[0].is === 'ops' &&
      ['kprobe_ftrace_ops', 'kprobe_ipmodify_ops'].includes(what[0].of) &&
      hasJoinedAnother(breach) &&
      stepsOf(breach).some(({ action }) => action.do === 'delete_module'),
    example:
      'f1 [m1] = function(u64 -> u64); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); delete_module(m1); all grace periods end',
  }),
  known({
    name: 'direct-call-that-failed-to-unregister-is-not-made',
    sentence:
      'unregister_ftrace_direct(ip) returns ENOMEM for lack of memory for the new filter, but has removed the entry: the call site still calls a handler, which finds no direct call.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: WARN_ON(ret) after ftrace_set_filter_ip(), and the entry is removed',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.1'],
    finding: 'hits-differ',
    when: ({ kind, expected, observed }, breach) =>
      kind === 'direct' &&
      expected > 0 &&
      observed === 0 &&
      hasFailed(breach, ['unregister_ftrace_direct(ip)'], 'allocation'),
    restsOn: ['directApi'],
    example:
      'register_ftrace_direct(f1, my_tramp1); the next allocation in ftrace_set_hash fails; unregister_ftrace_direct(f1, my_tramp1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'image-of-a-task-that-does-not-return-stays',
    sentence:
      'A task that exits in a function with an fexit program never leaves the image: its reference count never drops to zero, and it is never freed.',
    evidence:
      'kernel/bpf/verifier.c of 6.1  check_attach_btf_id has no check for functions that do not return; since 6.15 and 6.12.27 noreturn_deny',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1'],
    finding: 'leftovers',
    when: ({ what }, breach) =>
      ['page', 'image', 'deferred routine'].includes(what[0].is) && hasEndedInAnImage(breach),
    restsOn: ['noreturnRefused'],
    example:
      'f1 = function(u64 -> void) noreturn; prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); task#1 calls f1(0x5100000071000000); all grace periods end',
  }),
];

/** Calls that detach a client. */
const LEAVES: readonly Action['do'][] = [
  'unregister_kprobe',
  'unregister_kretprobe',
  'disable_kprobe',
  'delete_module',
  'unregister_fprobe',
  'unregister_ftrace_function',
  'unregister_ftrace_graph',
  'unregister_ftrace_direct',
  'unregister_ftrace_direct(ip)',
  'update_ftrace_direct_del',
  'close(link)',
  'settle',
];

/** The leftover is ftrace's: a site, a record, an ops, or a client that one of these keeps. */
function isOfFtrace({ is }: Leftover): boolean {
  return is !== 'pool' && is !== 'deferred routine' && is !== 'descriptor';
}

/** unregister_ftrace_direct() with a wrong address has left a function's entry. */
function hasLeftWithAnotherAddress(breach: Led, ip: Ip): boolean {
  return stepsOf(breach).some(({ action, before, after, outcome }) => {
    if (action.do !== 'unregister_ftrace_direct' || outcome.errno !== 0) return false;
    const entry = before.ftrace.directFunctions[ip];
    return entry !== undefined && entry !== action.addr && after.ftrace.directFunctions[ip] === entry;
  });
}

/** A registered user of function graph was registered again, and lost its index. */
export function wasRegisteredTwice(breach: Led, gops: GraphOpsId): boolean {
  return stepsOf(breach).some(
    ({ action, before, outcome }) =>
      action.do === 'register_ftrace_graph' &&
      action.gops === gops &&
      outcome.errno !== 0 &&
      before.fgraph.array.includes(gops),
  );
}

/** A task has exited in a function that does not return, in an image that it entered. */
function hasEndedInAnImage({ moment: { after } }: Led): boolean {
  return Object.values(after.bpf.images).some(
    ({ target, refs }) => refs > 0 && knownFunction(after.functions, target).noreturn,
  );
}

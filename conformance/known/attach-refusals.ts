import type { Action } from '../../model/client/all.ts';
import type { FunctionName, OpsId } from '../../model/core/ids.ts';
import { filterOf } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Changed } from '../../properties/finding/answer-finding.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import type { Led } from './cause.ts';
import {
  directOpsHasLeft,
  failsHere,
  isAbsent,
  isDestroyed,
  isPlace,
  KPROBE_ARMS,
  stepsOf,
} from './cause.ts';
import { isMadeForALivePatch } from './made-for-a-live-patch.ts';

/** What a refused call leaves behind. */
export const KNOWN_REFUSALS: readonly KnownAttach[] = [
  known({
    name: 'direct-mode-stays-for-a-refused-user',
    sentence:
      'register_ftrace_graph() for the first user fails, and keeps that user selected for direct calls.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117 and 7.2.13  register_ftrace_graph: ftrace_graph_enable_direct() comes before start_graph_tracing(), and the error path does not undo it (F8)',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.12', '7.2'],
    except: ['function graph'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) => isRefusedOnGraph(breach, 0) && changes.every(isOfDirectMode),
    restsOn: ['fgraph'],
    example: 'the next allocation in register_ftrace_graph (many users) fails; register_ftrace_graph(gops#1)',
  }),
  known({
    name: 'refused-graph-user-leaves-its-probe',
    sentence:
      'register_ftrace_graph() for the first user fails, and leaves ftrace_graph_probe_sched_switch() registered: every later one returns EEXIST with a WARN.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117, and upstream since  register_ftrace_graph: after start_graph_tracing() the error path does not call unregister_trace_sched_switch(); kernel/tracepoint.c  func_add, tracepoint_add_func',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.12', '7.2'],
    except: ['function graph'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) =>
      isRefusedOnGraph(breach, 0) &&
      changes.some(isOfSwitchProbe) &&
      changes.every((change) => isOfSwitchProbe(change) || isOfDirectMode(change)),
    restsOn: ['fgraph'],
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); the next allocation in ftrace_startup_subops fails; register_ftrace_graph(gops#1)',
  }),
  known({
    name: 'direct-mode-ends-for-a-refused-user',
    sentence:
      'register_ftrace_graph() for a second user fails, and ends the direct calls of the first, although that is still alone.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117 and 7.2.13  register_ftrace_graph: ftrace_graph_disable_direct() comes before ftrace_startup_subops(), and the error path does not undo it (F8)',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.12', '7.2'],
    except: ['function graph'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) => isRefusedOnGraph(breach, 1) && changes.every(isOfDirectMode),
    restsOn: ['fgraph'],
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); ftrace_set_filter_ip(gops#2.ops, f1); register_ftrace_graph(gops#1); the next allocation in ftrace_startup_subops fails; register_ftrace_graph(gops#2)',
  }),
  known({
    name: 'only-user-is-not-called-directly-after-a-refusal',
    sentence:
      'After a second user was refused, calls walk fgraph_array for the first; and for those after it, until two users are there again and one leaves.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117 and 7.2.13  register_ftrace_graph: ftrace_graph_disable_direct(true) before ftrace_startup_subops(), not undone; only unregister_ftrace_graph() turns the branch on (F8)',
    law: 'ftrace/only-graph-user-is-called-directly',
    kernels: ['6.12', '7.2'],
    except: ['function graph'],
    finding: 'graph-path-differs',
    when: ({ users, direct }, breach) => {
      const ended = stepsOf(breach).findLast(({ before, after }) => hasEndedDirectMode(before, after));
      return users.length === 1 && direct === null && ended !== undefined && ended.after.fgraph.active === 1;
    },
    restsOn: ['fgraph'],
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); ftrace_set_filter_ip(gops#2.ops, f1); register_ftrace_graph(gops#1); the next allocation in ftrace_startup_subops fails; register_ftrace_graph(gops#2)',
  }),
  known({
    name: 'refused-direct-call-corrupts-its-ops',
    sentence:
      'An ops that was refused as a direct call keeps func and trampoline, and gets EINVAL from then on.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  register_ftrace_direct_multi; mended in 6.12.59 (ftrace: Fix BPF fexit with livepatch)',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, { moment: { action } }) =>
      action.do === 'register_ftrace_direct' &&
      changes.every(
        ({ place, expected }) =>
          (isPlace(place, 'ftrace', 'ops', action.ops, 'func') ||
            isPlace(place, 'ftrace', 'ops', action.ops, 'trampoline')) &&
          isAbsent(expected),
      ),
    restsOn: ['directReset'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_kprobe(kprobe#1, f1, post_handler); register_ftrace_direct_multi(direct#1, my_tramp1)',
  }),
  known({
    name: 'entry-of-another-interface-is-destroyed',
    sentence:
      'unregister_ftrace_direct(ip, addr) on the direct call of a BPF trampoline or a *_multi ops returns ENOENT, but removes its entry.',
    evidence: 'recorded on 6.1.192 (api61 1, api61 47: s 1001/7-8, 1047/1-3; correction 12)',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1'],
    finding: 'refusal-leaves-a-trace',
    when: ({ errno, changes: [{ place }] }, { moment: { action, before, after } }) =>
      action.do === 'unregister_ftrace_direct(ip)' &&
      (errno === 'ENOENT' || errno === 'ENOMEM') &&
      (place[0] === 'text' || place[0] === 'ftrace') &&
      (isDestroyed(before, after, action.ip) || directOpsHasLeft(before, after)),
    restsOn: ['directApi'],
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); register_ftrace_direct(f2, my_tramp1); unregister_ftrace_direct(f1, tramp#1)',
  }),
  known({
    name: 'peers-that-agreed-are-not-rolled-back',
    sentence:
      'An IPMODIFY ops is refused for one of its functions; the trampolines of the others have been regenerated for it and stay so (F12), and one that could not be keeps SHARE_IPMODIFY.',
    evidence:
      'kernel/trace/ftrace.c of all three  prepare_direct_functions_for_ipmodify: no way back; kernel/bpf/trampoline.c  bpf_tramp_ftrace_ops_func: the flag is set before bpf_trampoline_update(), whose errors restore the flags that it found',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes: [{ place }] }, { moment: { before, after, action } }) =>
      bringsALivePatch(action) &&
      ['text', 'ftrace', 'bpf'].includes(place[0] ?? '') &&
      isMadeForALivePatch(before, after),
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_kprobe(kprobe#1, f2, post_handler); register_kprobe(kprobe#2, f1, post_handler); register_ftrace_function(ops#1)',
  }),
  known({
    name: 'peers-that-agreed-are-not-rolled-back-seen-by-image-matches-attached-programs',
    sentence:
      'An IPMODIFY ops is refused, for the trampoline of its function could not be regenerated; that keeps SHARE_IPMODIFY, and a kprobe with a post_handler patches the function, before it or later, which nothing has negotiated.',
    evidence: 'as peers-that-agreed-are-not-rolled-back; correction 8 (F2)',
    law: 'trampoline/image-matches-attached-programs',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'image-does-not-call-through-the-stack',
    when: ({ target }, breach) => isLeftSharing(breach, target),
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_kprobe(kprobe#1, f2, post_handler); register_kprobe(kprobe#2, f1, post_handler); the next allocation in bpf_trampoline_update fails; register_ftrace_function(ops#1)',
  }),
  known({
    name: 'refused-kprobe-leaves-its-post-handler',
    sentence:
      'A kprobe with a post_handler joins a disabled one and cannot be armed: it leaves the list, the aggregate keeps the post_handler, and the disabled one asks for IPMODIFY from then on.',
    evidence:
      'kernel/kprobes.c of all three  register_aggr_kprobe: list_del_rcu() when arm_kprobe() fails, and add_new_kprobe() is not undone',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes: [{ place }] }, { moment: { action } }) =>
      action.do === 'register_kprobe' &&
      action.post &&
      isPlace(place, 'probes', 'kprobeTable', action.ip, 'post'),
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1); register_kprobe(kprobe#1, f1, KPROBE_FLAG_DISABLED); register_kprobe(kprobe#2, f1, post_handler)',
  }),
  known({
    name: 'failed-unregister-notifies-direct-owners',
    sentence:
      'unregister_ftrace_function() of an unregistered IPMODIFY ops returns EBUSY, but notifies the owners of direct calls in its filter that the live patch is gone: their images are regenerated, and may bypass a live patch that is still there.',
    evidence:
      'kernel/trace/ftrace.c of all three  unregister_ftrace_function: cleanup_direct_functions_after_ipmodify() whatever ftrace_shutdown() answers',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'refusal-leaves-a-trace',
    when: ({ errno, changes: [{ place }] }, { moment: { before, action } }) =>
      action.do === 'unregister_ftrace_function' &&
      (errno === 'EBUSY' || errno === 'EPERM') &&
      ['text', 'ftrace', 'bpf'].includes(place[0] ?? '') &&
      isRegeneratedForLeaving(before, action.ops),
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_kprobe(kprobe#1, f1, post_handler); unregister_ftrace_function(ops#1)',
  }),
];

/** The call of an ops, or of a kprobe, that may patch a function live. */
function bringsALivePatch(action: Action): boolean {
  return action.do === 'register_ftrace_function' || KPROBE_ARMS.some((arms) => arms === action.do);
}

/** A trampoline has the flag that it shares with a live patch since one was refused. */
function isLeftSharing(breach: Led, target: FunctionName): boolean {
  const shares = ({ bpf }: KernelView) => bpf.trampolines[target]?.flags.SHARE_IPMODIFY === true;
  const began = stepsOf(breach).findLast(({ before, after }) => !shares(before) && shares(after));
  return began !== undefined && began.outcome.errno !== 0 && bringsALivePatch(began.action);
}

/**
 * The owner of a function in the filter is notified that the live patch is gone: one that shares with it, or whose image was
 * made for that and could not be regenerated, for lack of memory, when the patch left (`BPF_TRAMP_F_ORIG_STACK`).
 */
function isRegeneratedForLeaving(k: KernelView, ops: OpsId): boolean {
  const filter = filterOf(k, ops);
  return Object.entries(k.bpf.trampolines).some(
    ([target, { flags }]) => filter.includes(target) && (flags.SHARE_IPMODIFY || flags.ORIG_STACK),
  );
}

/** The calls that register a user of function graph. */
const REGISTERS_ON_GRAPH: readonly Action['do'][] = [
  'register_ftrace_graph',
  'register_fprobe_ips',
  'register_kretprobe',
  'BPF_LINK_CREATE',
];

/**
 * A user could not register on function graph beside `others` users: it lacked memory or a poke, ftrace was dead, or
 * it was registered already, or the probe of sched_switch was. Nothing else refuses it after the check of direct mode.
 */
function isRefusedOnGraph(breach: Led, users: number): boolean {
  const { before, action, outcome } = breach.moment;
  if (!REGISTERS_ON_GRAPH.includes(action.do) || before.fgraph.active !== users) return false;
  const isThere = action.do === 'register_ftrace_graph' && before.fgraph.array.includes(action.gops);
  // EBUSY: a user that could not leave is refused by ftrace_startup_subops().
  const isRefused = ['ENODEV', 'EEXIST', 'EBUSY'].includes(String(outcome.errno));
  return failsHere(breach) || isRefused || isThere;
}

/** A call turned the static branch off; one that was not refused leaves several users. */
function hasEndedDirectMode(before: KernelView, after: KernelView): boolean {
  return before.fgraph.doDirect && !after.fgraph.doDirect;
}

/** The directly called user of function graph, or whether there is one, was left changed. */
function isOfDirectMode({ place }: Changed): boolean {
  return DIRECT_MODE.some((name) => isPlace(place, 'fgraph', name));
}

/** The probe of sched_switch was left registered. */
function isOfSwitchProbe({ place }: Changed): boolean {
  return isPlace(place, 'fgraph', 'switchProbe');
}

const DIRECT_MODE = ['doDirect', 'directGops', 'directEntryfunc', 'directRetfunc'];

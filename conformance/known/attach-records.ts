import { callOf } from '../../model/client/all.ts';
import { isDirectOf } from '../../model/contract/changes.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Counter } from '../../properties/finding/state-finding.ts';
import { isFreedOps } from '../../properties/observed/tracing-ops.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { couldNotLeaveTheManager, directOpsHasLeft, hasFailed, isDisarmedByAnother } from './cause.ts';
import { isLeftOf, LEFT_BY_A_FREED_OPS } from './left-by-a-freed-ops.ts';
import { hasStayed, isOfBpfOrOps, isTakenBack } from './put-images.ts';
import { isRegsLeftOver } from './regs-left-over.ts';

const REGS_KEPT =
  'kernel/trace/ftrace.c of all three  test_rec_ops_needs_regs: it checks every ops on the list, including the one that is being removed, whose filter is still the old one';

const FREED_OPS =
  'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_put: kfree(tr->fops), whatever unlinking answered';

const FREED_EXAMPLE =
  'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); the next allocation in bpf_trampoline_update fails; close(link#1)';

/** The functions whose trampoline was freed with its ops, which is still on ftrace_ops_list. */
function freedTargets(k: KernelView): string[] {
  return k.ftrace.opsList.flatMap((name) => {
    const target = /^tr\((\w+)\)\.fops$/.exec(name)?.[1];
    return target !== undefined && isFreedOps(k, name) ? [target] : [];
  });
}

const MULTI_LEFT =
  'kernel/bpf/trampoline.c of 7.2.13  bpf_trampoline_multi_detach: it warns when update_ftrace_direct_del() fails, and continues';

/** Breaches of the laws on records, text, hashes and lifetimes. */
export const KNOWN_RECORDS: readonly KnownAttach[] = [
  known({
    name: 'regs-are-kept-when-a-function-leaves-a-filter',
    sentence:
      'A function removed from the filter of a registered SAVE_REGS ops keeps REGS: the ops being updated is mistaken for another one that needs registers. The same remains after a time with kernel.ftrace_enabled=0.',
    evidence: REGS_KEPT,
    law: 'ftrace/record-flags-match-ops',
    kernels: ['6.1', '6.12', '7.2'],
    except: ['function graph', 'global', 'global int in rax', 'global padding'],
    finding: 'record-flags-differ',
    when: ({ observed }, breach) => (observed.flags & FTRACE_FL_REGS) !== 0 && isRegsLeftOver(breach),
    example:
      'register_ftrace_graph(gops#1); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); unregister_kprobe(kprobe#1)',
  }),
  known({
    name: 'slow-path-is-kept-with-regs',
    sentence:
      'The same record, shown at the site: ops that need no registers are called through ftrace_regs_caller.',
    evidence: REGS_KEPT,
    law: 'ftrace/call-sites-match-ops',
    kernels: ['6.1', '6.12', '7.2'],
    except: ['function graph', 'global', 'global int in rax', 'global padding'],
    finding: 'site-differs',
    when: ({ expected, observed }, breach) =>
      expected.is === 'call' &&
      expected.to === 'ftrace_caller' &&
      observed.is === 'call' &&
      observed.to === 'ftrace_regs_caller' &&
      isRegsLeftOver(breach),
    example:
      'ops#1 = ftrace_ops(); ops#2 = ftrace_ops(); register_ftrace_function(ops#1); register_ftrace_function(ops#2); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); unregister_kprobe(kprobe#1)',
  }),
  known({
    name: 'direct-call-is-unregistered-with-another-address',
    sentence:
      'unregister_ftrace_direct() with an address other than the registered one returns 0 and leaves the entries in direct_functions for good.',
    evidence: 'recorded on all three (common 0, common 1; correction 14)',
    law: 'ftrace/direct-functions-match-direct-ops',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'direct-entry-differs',
    when: ({ owner, observed }, { moment: { action, promised } }) =>
      owner === null &&
      observed !== null &&
      action.do === 'unregister_ftrace_direct' &&
      promised.clients.some((client) => isDirectOf(action.ops, client) && client.who !== action.addr),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct_multi(direct#1, my_tramp2)',
  }),
  known({
    name: 'image-is-put-although-its-site-calls-it',
    sentence:
      'The last program is detached and the call site cannot be changed, but its image, or the trampoline of its ops, is retired and freed: only the errno of the update is checked, and ftrace_shutdown() returns 0 when ftrace dies in it.',
    evidence:
      'kernel/trace/ftrace.c of all three  ftrace_shutdown: no check of ftrace_disabled after ftrace_run_update_code(); kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_update: bpf_tramp_image_put() whatever unregister_fentry() answers',
    law: 'ftrace/no-pointer-to-a-retired-image',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'leads-to-memory-that-left',
    when: ({ from, page }, { moment }) => {
      const { before, action, after } = moment;
      return (
        after.ftrace.disabled &&
        (((callOf(action).role === 'detaches' || action.do === 'settle') && hasStayed(before, after, from)) ||
          isTakenBack(moment, from)) &&
        isOfBpfOrOps(page)
      );
    },
    example:
      'ops#1 = ftrace_ops(); register_ftrace_function(ops#1); the next poke in ftrace_replace_code fails; unregister_ftrace_function(ops#1)',
  }),
  known({
    name: 'entry-of-another-interface-is-missing',
    sentence:
      'The same, shown in the hash; direct_ops is unregistered when its only site is a different one.',
    evidence: 'recorded on 6.1.192 (s 1001/7-8, 1047/1-3; correction 12)',
    law: 'ftrace/direct-functions-match-direct-ops',
    kernels: ['6.1'],
    finding: 'direct-entry-differs',
    when: ({ ip }, { moment: { action, outcome, before, after } }) =>
      action.do === 'unregister_ftrace_direct(ip)' &&
      outcome.errno !== 0 &&
      (action.ip === ip || directOpsHasLeft(before, after)),
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1)',
  }),
  known({
    name: 'ops-is-freed-on-the-list',
    sentence:
      'A trampoline whose ops cannot be unregistered, because ftrace is dead or memory is short, is freed with its ops, which stays on ftrace_ops_list.',
    evidence:
      'shown on 6.12.117, with freed memory overwritten: the next call faults without end; kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_put: kfree(tr->fops), whatever unlinking answered',
    law: 'ftrace/no-pointer-to-a-retired-image',
    kernels: ['6.1', '6.12'],
    finding: 'ops-is-freed-on-the-list',
    when: ({ ops }, breach) =>
      breach.moment.faults.length > 0 &&
      freedTargets(breach.moment.after).some((target) => ops === `tr(${target}).fops`),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); the next allocation in bpf_trampoline_update fails; close(link#1)',
  }),
  known({
    name: 'kprobe-is-disarmed-by-another-ops',
    sentence:
      'A kprobe with a post_handler that joins one without is armed through kprobe_ftrace_ops and disarmed through kprobe_ipmodify_ops, whose count drops too low.',
    evidence: 'recorded on all three (bug 6000-6002; correction 9): WARN in __disarm_kprobe_ftrace',
    law: 'ftrace/user-counts-match-users',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'counter-differs',
    when: ({ counter }, breach) => KPROBE_COUNTERS.includes(counter) && isDisarmedByAnother(breach),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); unregister_kprobe(kprobe#2); unregister_kprobe(kprobe#1)',
  }),
  known({
    name: 'subops-stays-with-its-manager',
    sentence:
      "A user of function graph leaves the array, but stays a subops when memory is short for the manager's hashes.",
    evidence:
      'kernel/trace/fgraph.c of 6.12.117 and 7.2.13  unregister_ftrace_graph: the answer of ftrace_shutdown_subops() is ignored',
    law: 'ftrace/user-counts-match-users',
    kernels: ['6.12', '7.2'],
    except: ['function graph'],
    finding: 'counter-differs',
    when: ({ counter, expected, observed }, breach) =>
      counter === 'subops of graph_ops' && observed > expected && couldNotLeaveTheManager(breach),
    restsOn: ['fgraph'],
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); the next allocation in __ftrace_hash_move_and_update_ops fails; unregister_ftrace_graph(gops#2)',
  }),
  known({
    name: 'multi-link-that-failed-to-detach',
    sentence:
      'A multi link is closed without memory for the smaller direct_functions: the program is gone, and its entry stays.',
    evidence: MULTI_LEFT,
    law: 'ftrace/direct-functions-match-direct-ops',
    kernels: ['7.2'],
    variants: [],
    finding: 'direct-entry-differs',
    when: ({ owner, expected, observed }, breach) =>
      owner === 'direct_ops' &&
      expected === null &&
      observed !== null &&
      hasFailed(breach, ['close(link)', 'BPF_LINK_CREATE'], 'allocation'),
    restsOn: ['multiLinks'],
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in update_ftrace_direct_del fails; close(link#1)',
  }),
  known({
    name: 'site-of-a-multi-link-that-failed-to-detach',
    sentence: 'The same entry, shown at the site, which still calls the image.',
    evidence: MULTI_LEFT,
    law: 'ftrace/call-sites-match-ops',
    kernels: ['7.2'],
    variants: [],
    finding: 'site-differs',
    when: ({ expected, observed }, breach) =>
      expected.is === 'an unrequested direct call' &&
      (observed.is === 'call' || observed.is === 'jmp') &&
      hasFailed(breach, ['close(link)', 'BPF_LINK_CREATE'], 'allocation'),
    restsOn: ['multiLinks'],
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in update_ftrace_direct_del fails; close(link#1)',
  }),
  ...LEFT_BY_A_FREED_OPS.map(([law, finding]) =>
    known({
      name: `freed-ops-seen-by-${law.slice(law.indexOf('/') + 1)}`,
      sentence:
        'An ops that was freed while registered, shown by what it leaves: its site, its record, its entry.',
      evidence: FREED_OPS,
      law,
      kernels: ['6.1', '6.12'],
      finding,
      when: (found, { moment: { faults, after } }) =>
        faults.length > 0 && isLeftOf(found, freedTargets(after)),
      example: FREED_EXAMPLE,
    }),
  ),
];

const KPROBE_COUNTERS: readonly Counter[] = [
  'kprobe_ftrace_enabled',
  'kprobe_ipmodify_enabled',
  'armed kprobes',
];

import type { WordedBreach } from '../../checker/sequences/run-sequence.ts';
import { FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import { hasFlag, isFreedOps, tracingOps } from '../../properties/observed/tracing-ops.ts';
import type { KnownAttach } from './attach.ts';

const REGS_KEPT =
  'kernel/trace/ftrace.c of all three  test_rec_ops_needs_regs: it asks every ops on the list, the one that is being taken off included, whose filter is still the old one';

/** Some record says REGS although no ops on it saves registers, and none that was freed is on it. */
function isRegsLeftOver({ moment: { after } }: WordedBreach): boolean {
  if (after.ftrace.opsList.some((name) => isFreedOps(after, name))) return false;
  return Object.entries(after.ftrace.records).some(
    ([ip, { count, flags }]) =>
      count > 0 &&
      (flags & FTRACE_FL_REGS) !== 0 &&
      !tracingOps(after, ip).some(({ ops }) => hasFlag(ops, FTRACE_OPS_FL_SAVE_REGS)),
  );
}

const FREED_OPS =
  'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_put: kfree(tr->fops), whatever unlinking answered';

const FREED_EXAMPLE =
  'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); the next allocation in bpf_trampoline_update fails; close(link#1)';

/** What the laws say of a freed ops, with the function that it is on. */
export const LEFT_BY_A_FREED_OPS: Readonly<Record<string, RegExp>> = {
  'sites-follow-from-the-ops':
    /^(\w+)(?:, traced by .*,)? holds .* \/ it holds call (?:ftrace_\w+|tramp#\d+)$/,
  'record-flags-follow-from-the-ops': /^the record of (\w+): .* \/ count \d+, .*\bDIRECT\b/,
  'counters-are-the-number-of-users': /^ftrace_start_up is \d+ \/ it is \d+$/,
  'direct-table-is-the-union-of-filters':
    /^direct_functions does not have (\w+): no direct ops has it \/ it leads to tramp#\d+$/,
  'count-is-the-number-of-ops': /^the record of (\w+) counts .* \/ it counts \d+$/,
};

/** The functions whose trampoline was freed with its ops, which is on ftrace_ops_list still. */
function freedTargets(k: KernelView): string[] {
  return k.ftrace.opsList.flatMap((name) => {
    const target = /^tr\((\w+)\)\.fops$/.exec(name)?.[1];
    return target !== undefined && isFreedOps(k, name) ? [target] : [];
  });
}

const MULTI_LEFT =
  'kernel/bpf/trampoline.c of 7.2.13  bpf_trampoline_multi_detach: it warns when update_ftrace_direct_del() fails, and goes on';

/** Breaches of the laws about records, text, tables and lifetimes. */
export const KNOWN_RECORDS: readonly KnownAttach[] = [
  {
    name: 'regs-are-kept-when-a-function-leaves-a-filter',
    sentence:
      'A function that leaves the filter of a registered ops with SAVE_REGS keeps REGS: the ops that it leaves is taken for another that needs registers. The same is left over from a time with kernel.ftrace_enabled=0.',
    evidence: REGS_KEPT,
    law: 'ftrace/record-flags-follow-from-the-ops',
    kernels: ['6.1', '6.12', '7.2'],
    shows: / \/ count \d+, .*\bREGS\b/,
    when: isRegsLeftOver,
    example:
      'register_ftrace_graph(gops#1); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); unregister_kprobe(kprobe#1)',
  },
  {
    name: 'slow-path-is-kept-with-regs',
    sentence: 'The same record, seen at the site: ops that need no registers go through ftrace_regs_caller.',
    evidence: REGS_KEPT,
    law: 'ftrace/sites-follow-from-the-ops',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /call ftrace_caller \/ it holds call ftrace_regs_caller$/,
    when: isRegsLeftOver,
    example:
      'ops#1 = ftrace_ops(); ops#2 = ftrace_ops(); register_ftrace_function(ops#1); register_ftrace_function(ops#2); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); unregister_kprobe(kprobe#1)',
  },
  {
    name: 'direct-call-is-unregistered-with-another-address',
    sentence:
      'unregister_ftrace_direct() with an address that is not the registered one answers 0 and leaves the entries in direct_functions for ever.',
    evidence: 'recorded on all three (common 0, common 1; correction 14)',
    law: 'ftrace/direct-table-is-the-union-of-filters',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /^direct_functions does not have .* \/ it leads to /,
    when: ({ moment: { action, promised } }) =>
      action.do === 'unregister_ftrace_direct' &&
      promised.clients.some(({ object, who }) => object === action.ops && who !== action.addr),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct_multi(direct#1, my_tramp2)',
  },
  {
    name: 'image-is-put-although-its-site-calls-it',
    sentence:
      'When the last program leaves and the call site cannot be changed, its image, or the trampoline of its ops, is retired and freed all the same: the call site is only asked for an errno, and ftrace_shutdown() answers 0 when ftrace dies in it.',
    evidence:
      'kernel/trace/ftrace.c of all three  ftrace_shutdown: no look at ftrace_disabled behind ftrace_run_update_code(); kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_update: bpf_tramp_image_put() whatever unregister_fentry() answers',
    law: 'ftrace/nobody-leads-to-a-retired-image',
    kernels: ['6.1', '6.12', '7.2'],
    shows:
      /^what the (call site|direct call) of .* (is in use|stays mapped) \/ (tramp#\d+|page \d+|.*\.trampoline) is (retired|freed)$/,
    when: ({ moment: { after } }) => after.ftrace.disabled,
    example:
      'ops#1 = ftrace_ops(); register_ftrace_function(ops#1); the next poke in ftrace_replace_code fails; unregister_ftrace_function(ops#1)',
  },
  {
    name: 'entry-of-another-interface-is-missing',
    sentence: 'The same, seen in the table; direct_ops is unregistered when its only site is another one.',
    evidence: 'recorded on 6.1.192 (s 1001/7-8, 1047/1-3; correction 12)',
    law: 'ftrace/direct-table-is-the-union-of-filters',
    kernels: ['6.1'],
    shows: /^direct_functions .* \/ it (has no entry|leads to .*)$/,
    when: ({ moment: { action, outcome } }) =>
      action.do === 'unregister_ftrace_direct(ip)' && outcome.errno !== 0,
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1)',
  },
  {
    name: 'ops-is-freed-on-the-list',
    sentence:
      'A trampoline whose ops cannot be unregistered, because ftrace is dead or memory lacks, is freed with its ops, which stays on ftrace_ops_list.',
    evidence:
      'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_put: kfree(tr->fops), whatever unlinking answered',
    law: 'ftrace/nobody-leads-to-a-retired-image',
    kernels: ['6.1', '6.12'],
    shows: /^tr\(\w+\)\.fops stays allocated: it is on ftrace_ops_list \/ it is freed$/,
    when: ({ moment: { injected } }) => injected,
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); the next allocation in bpf_trampoline_update fails; close(link#1)',
  },
  {
    name: 'kprobe-is-disarmed-by-another-ops',
    sentence:
      'A kprobe with post_handler that joins one without is armed by kprobe_ftrace_ops and disarmed by kprobe_ipmodify_ops, whose count sinks below what it has.',
    evidence: 'recorded on all three (bug 6000-6002; correction 9): WARN in __disarm_kprobe_ftrace',
    law: 'ftrace/counters-are-the-number-of-users',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /kprobe/,
    when: ({ moment: { outcome } }) =>
      outcome.warnings.some(({ is }) => is === 'kprobe ops not unregistered' || is === 'kprobe not disarmed'),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); unregister_kprobe(kprobe#2); unregister_kprobe(kprobe#1)',
  },
  {
    name: 'subops-stays-with-its-manager',
    sentence:
      'A user of function graph leaves the array and, when memory lacks for the hashes of the manager, stays one of its subops.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117 and 7.2.13  unregister_ftrace_graph: the answer of ftrace_shutdown_subops() is ignored',
    law: 'ftrace/counters-are-the-number-of-users',
    kernels: ['6.12', '7.2'],
    shows: /^the number of subops of graph_ops is \d+ \/ it is \d+$/,
    when: ({ moment: { injected } }) => injected,
    example:
      'register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); the next allocation in ftrace_shutdown_subops fails; unregister_ftrace_graph(gops#2)',
  },
  {
    name: 'multi-link-that-could-not-leave',
    sentence:
      'A multi link is closed, memory lacks for the smaller table of direct calls: the program is gone, and its entry stays.',
    evidence: MULTI_LEFT,
    law: 'ftrace/direct-table-is-the-union-of-filters',
    kernels: ['7.2'],
    shows:
      /^direct_functions leads \w+ of direct_ops to where nobody asked for \/ it leads to (jmp )?tramp#\d+$/,
    when: ({ moment: { injected } }) => injected,
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in update_ftrace_direct_del fails; close(link#1)',
  },
  {
    name: 'site-of-a-multi-link-that-could-not-leave',
    sentence: 'The same entry, seen at the site, which goes on calling the image.',
    evidence: MULTI_LEFT,
    law: 'ftrace/sites-follow-from-the-ops',
    kernels: ['7.2'],
    shows: / holds (call|jmp) a direct call that nobody asked for \/ it holds (call|jmp) tramp#\d+$/,
    when: ({ moment: { injected } }) => injected,
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next allocation in update_ftrace_direct_del fails; close(link#1)',
  },
  ...Object.entries(LEFT_BY_A_FREED_OPS).map(
    ([law, shows]): KnownAttach => ({
      name: `freed-ops-seen-by-${law}`,
      sentence:
        'An ops that was freed while it was registered, seen by what it leaves: its site, its record, its entry.',
      evidence: FREED_OPS,
      law: `ftrace/${law}`,
      kernels: ['6.1', '6.12'],
      shows,
      when: ({ finding, moment: { injected, after } }) => {
        const fn = shows.exec(`${finding.expected} / ${finding.observed}`)?.[1];
        return injected && freedTargets(after).some((target) => fn === undefined || fn === target);
      },
      example: FREED_EXAMPLE,
    }),
  ),
];

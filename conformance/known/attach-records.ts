import { FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { AttachBreach } from '../../properties/attach/run-sequence.ts';
import { hasFlag, tracingOps } from '../../properties/ftrace/tracing-ops.ts';
import type { KnownAttach } from './attach.ts';
import { KNOWN_LIFETIMES } from './attach-lifetimes.ts';

const REGS_KEPT =
  'kernel/trace/ftrace.c of all three  test_rec_ops_needs_regs: it asks every ops on the list, the one that is being taken off included, whose filter is still the old one';

/** Some record says REGS although no ops on it saves registers. */
function isRegsLeftOver({ moment: { after } }: AttachBreach): boolean {
  return Object.entries(after.ftrace.records).some(
    ([ip, { count, flags }]) =>
      count > 0 &&
      (flags & FTRACE_FL_REGS) !== 0 &&
      !tracingOps(after, ip).some(({ ops }) => hasFlag(ops, FTRACE_OPS_FL_SAVE_REGS)),
  );
}

const FREED_OPS =
  'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_put: kfree(tr->fops), whatever unlinking answered';

/** ftrace_ops_list, or a site, still has an ops whose trampoline was freed. */
function hasFreedOps(k: Kernel): boolean {
  return k.ftrace.opsList.some(
    (name) => /^tr\(.*\)\.fops$/.test(name) && (k.ftrace.ops[name]?.flags ?? 0) === 0,
  );
}

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
  },
  {
    name: 'slow-path-is-kept-with-regs',
    sentence: 'The same record, seen at the site: ops that need no registers go through ftrace_regs_caller.',
    evidence: REGS_KEPT,
    law: 'ftrace/sites-follow-from-the-ops',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /call ftrace_caller \/ it holds call ftrace_regs_caller$/,
    when: isRegsLeftOver,
  },
  {
    name: 'direct-call-is-unregistered-with-another-address',
    sentence:
      'unregister_ftrace_direct() with an address that is not the registered one answers 0 and leaves the entries in direct_functions for ever.',
    evidence: 'recorded on all three (common 0, common 1; corrections.md 14)',
    law: 'ftrace/direct-table-is-the-union-of-filters',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /^direct_functions does not have .* \/ it leads to /,
    when: ({ moment: { action, promised } }) =>
      action.do === 'unregister_ftrace_direct' &&
      promised.clients.some(({ object, who }) => object === action.ops && who !== action.addr),
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
  },
  {
    name: 'entry-of-another-interface-is-missing',
    sentence: 'The same, seen in the table; direct_ops is unregistered when its only site is another one.',
    evidence: 'recorded on 6.1.192 (s 1001/7-8, 1047/1-3; corrections.md 12)',
    law: 'ftrace/direct-table-is-the-union-of-filters',
    kernels: ['6.1'],
    shows: /^direct_functions .* \/ it (has no entry|leads to .*)$/,
    when: ({ moment: { action, outcome } }) =>
      action.do === 'unregister_ftrace_direct(ip)' && outcome.errno !== 0,
  },
  {
    name: 'ops-is-freed-on-the-list',
    sentence:
      'A trampoline whose ops cannot be unregistered, because ftrace is dead or memory lacks, is freed with its ops, which stays on ftrace_ops_list.',
    evidence:
      'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_put: kfree(tr->fops), whatever unlinking answered',
    law: 'ftrace/nobody-leads-to-a-retired-image',
    kernels: ['6.1', '6.12'],
    shows: /\.fops stays allocated: it is on ftrace_ops_list \/ it is freed$/,
    when: ({ moment: { injected } }) => injected,
  },
  {
    name: 'kprobe-is-disarmed-by-another-ops',
    sentence:
      'A kprobe with post_handler that joins one without is armed by kprobe_ftrace_ops and disarmed by kprobe_ipmodify_ops, whose count sinks below what it has.',
    evidence: 'recorded on all three (bug 6000-6002; corrections.md 9): WARN in __disarm_kprobe_ftrace',
    law: 'ftrace/counters-are-the-number-of-users',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /kprobe/,
    when: ({ moment: { outcome } }) =>
      outcome.warnings.some((text) => text.includes('__disarm_kprobe_ftrace')),
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
  },
  ...[
    'ftrace/sites-follow-from-the-ops',
    'ftrace/sites-hold-what-is-in-effect',
    'ftrace/record-flags-follow-from-the-ops',
    'ftrace/counters-are-the-number-of-users',
    'ftrace/direct-table-is-the-union-of-filters',
    'ftrace/count-is-the-number-of-ops',
  ].map(
    (law): KnownAttach => ({
      name: `freed ops, by ${law}`,
      sentence:
        'An ops that was freed while it was registered, seen by what it leaves: its site, its record, its entry.',
      evidence: FREED_OPS,
      law,
      kernels: ['6.1', '6.12'],
      shows: /./,
      when: ({ moment: { injected, after } }) => injected && hasFreedOps(after),
    }),
  ),
  ...KNOWN_LIFETIMES,
];

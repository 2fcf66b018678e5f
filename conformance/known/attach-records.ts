import { FTRACE_OPS_FL_SAVE_REGS } from '../../model/ftrace/ops.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import type { AttachBreach } from '../../properties/attach/run-sequence.ts';
import { hasFlag, tracingOps } from '../../properties/ftrace/tracing-ops.ts';
import type { KnownAttach } from './attach.ts';

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
      'When the last program leaves and the call site cannot be changed, its image is retired and freed all the same: the call site is only asked for an errno, and ftrace_shutdown() answers 0 when ftrace dies in it.',
    evidence:
      'kernel/trace/ftrace.c of all three  ftrace_shutdown: no look at ftrace_disabled behind ftrace_run_update_code(); kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_update: bpf_tramp_image_put() whatever unregister_fentry() answers',
    law: 'ftrace/nobody-leads-to-a-retired-image',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /^what the call site of .* is in use \/ tramp#\d+ is retired$/,
    when: ({ moment: { after } }) => after.ftrace.disabled,
  },
  {
    name: 'direct-mode-of-a-user-that-did-not-come',
    sentence:
      'register_ftrace_graph() that fails for its first user leaves that user chosen for direct calls.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117 and 7.2.13  register_ftrace_graph: ftrace_graph_enable_direct() comes before start_graph_tracing(), and the error path does not undo it (H8)',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.12', '7.2'],
    shows: /, and fgraph\/(directGops|doDirect) is /,
  },
  {
    name: 'ops-of-a-refused-direct-call-is-spoiled',
    sentence:
      'An ops whose registration as a direct call was refused keeps func and trampoline, and is EINVAL from then on.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  register_ftrace_direct_multi; mended in 6.12.59 (ftrace: Fix BPF fexit with livepatch)',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.1'],
    shows: /, and ftrace\/ops\/direct#\d\/(func|trampoline) is –/,
  },
  {
    name: 'entry-of-another-interface-is-destroyed',
    sentence:
      'unregister_ftrace_direct(ip, addr) on the direct call of a BPF trampoline or of a *_multi ops answers ENOENT and removes its entry all the same.',
    evidence: 'recorded on 6.1.192 (api61 1, api61 47: s 1001/7-8, 1047/1-3; corrections.md 12)',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.1'],
    shows: /^ENOENT, and (text|ftrace)\//,
    when: ({ moment: { action } }) => action.do === 'unregister_ftrace_direct(ip)',
  },
  {
    name: 'entry-of-another-interface-is-missing',
    sentence: 'The same, seen in the table; direct_ops is unregistered when its only site is another one.',
    evidence: 'recorded on 6.1.192 (s 1001/7-8, 1047/1-3; corrections.md 12)',
    law: 'ftrace/direct-table-is-the-union-of-filters',
    kernels: ['6.1'],
    shows: /^direct_functions .* \/ it (has no entry|leads to .*)$/,
    when: ({ moment: { action, outcome } }) =>
      action.do === 'unregister_ftrace_direct(ip)' && outcome.errno === 'ENOENT',
  },
  {
    name: 'ops-is-freed-on-the-list',
    sentence:
      'A trampoline whose ops cannot be unregistered, because ftrace is dead, is freed with its ops, which stays on ftrace_ops_list.',
    evidence:
      'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_put: kfree(tr->fops), whatever unlinking answered',
    law: 'ftrace/nobody-leads-to-a-retired-image',
    kernels: ['6.1', '6.12'],
    shows: /\.fops stays allocated: it is on ftrace_ops_list \/ it is freed$/,
    when: ({ moment: { after } }) => after.ftrace.disabled,
  },
  {
    name: 'owners-that-agreed-stay-changed',
    sentence:
      'An IPMODIFY ops is refused for one of its functions; the trampolines of the others have been rebuilt for it and stay so (H12).',
    evidence: 'kernel/trace/ftrace.c of all three  prepare_direct_functions_for_ipmodify: no way back',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /^(EBUSY|EAGAIN|ENOMEM|EINVAL|ENODEV), and (text|ftrace|bpf)\//,
    when: ({ moment: { before, after, action } }) =>
      (action.do === 'register_ftrace_function' || action.do === 'register_kprobe') &&
      Object.entries(after.bpf.trampolines).some(
        ([target, { flags }]) =>
          flags.ORIG_STACK && before.bpf.trampolines[target]?.flags.ORIG_STACK === false,
      ),
  },
  {
    name: 'image-of-a-program-that-could-not-leave',
    sentence:
      'The last program leaves, the call site cannot be changed for lack of memory: the image stays, with the program skipped.',
    evidence:
      'kernel/bpf/trampoline.c of 7.2.13  bpf_trampoline_update: returns before bpf_tramp_image_put()',
    law: 'trampoline/programs-and-image-agree',
    kernels: ['7.2'],
    shows: /^the image of .* is the one for .* \/ tramp#\d+ is for /,
    when: ({ moment: { injected, outcome } }) =>
      injected &&
      outcome.warnings.some((text) => /^a (program|multi link) could not be taken off/.test(text)),
  },
  {
    name: 'image-of-a-program-that-left-for-lack-of-memory',
    sentence:
      'A program leaves the list first; when the next image cannot be made, the old one goes on calling it.',
    evidence:
      'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_unlink_prog: hlist_del_init() before bpf_trampoline_update()',
    law: 'trampoline/programs-and-image-agree',
    kernels: ['6.1', '6.12'],
    shows: /^the image of .* is the one for .* \/ tramp#\d+ is for /,
    when: ({ moment: { injected, outcome } }) =>
      injected && outcome.warnings.some((text) => text.startsWith('a program could not be taken off')),
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
    name: 'detaching-takes-memory',
    sentence:
      'Taking a function from a filter, leaving the manager of function graph, or making the smaller table or image needs memory; without it the client stays.',
    evidence:
      'kernel/trace/ftrace.c  ftrace_set_hash, ftrace_shutdown_subops, update_ftrace_direct_del; kernel/kprobes.c  __disarm_kprobe_ftrace; kernel/bpf/trampoline.c  bpf_trampoline_update; kernel/bpf/syscall.c  bpf_tracing_link_release, all of which warn',
    law: 'ftrace/detaching-needs-no-memory',
    kernels: ['6.1', '6.12', '7.2'],
    shows:
      /^(unregister_k(ret)?probe does without the memory that (ftrace_set_hash|__ftrace_hash_move_and_update_ops)|unregister_(ftrace_graph|fprobe) does without the memory that (ftrace_shutdown_subops|ftrace_set_hash|__ftrace_hash_move_and_update_ops)|close\(link\) does without the memory that (bpf_trampoline_update|update_ftrace_direct_del|__ftrace_hash_move_and_update_ops|ftrace_shutdown_subops)|update_ftrace_direct_del does without|unregister_ftrace_direct\(ip\) does without)/,
  },
  {
    name: 'second-ipmodify-function-is-not-negotiated',
    sentence:
      'A function that joins a registered IPMODIFY ops is not announced to the owner of its direct call, whose image is jumped to.',
    evidence:
      'recorded on 7.2.13 (b+ f2 0 fexit; kpon f6 1; kpon f2 1: 0xdc bytes beside IPMODIFY; corrections.md 8, H2)',
    law: 'trampoline/no-jump-under-a-live-patch',
    kernels: ['7.2'],
    shows: /^the direct call of .* is called: an IPMODIFY ops is there \/ jmp tramp#\d+$/,
    when: ({ moment: { action } }) => action.do === 'register_kprobe' || action.do === 'ftrace_set_filter_ip',
  },
  {
    name: 'last-function-is-removed-from-a-filter',
    sentence:
      'ftrace_set_filter_ip() that removes the last function of a registered ops answers 0, and the ops traces everything.',
    evidence: 'kernel/trace/ftrace.c of all three  ftrace_hash_empty: an empty filter is no filter',
    law: 'ftrace/filters-do-not-become-everything',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /its filter is empty: it traces all$/,
    when: ({ moment: { action } }) =>
      (action.do === 'ftrace_set_filter_ip' || action.do === 'set_ftrace_filter') && action.remove,
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
  {
    name: 'kprobe-takes-the-place-of-one-that-could-not-leave',
    sentence:
      'A kprobe that could not be disarmed stays in the table without an address; the next one at its place does not find it.',
    evidence: 'kernel/kprobes.c of all three  __unregister_kprobe_top, get_kprobe',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /, and probes\/kprobeTable\//,
    when: ({ moment: { before } }) => Object.values(before.probes.kprobes).some(({ ip }) => ip === ''),
  },
];

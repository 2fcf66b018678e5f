import type { KnownAttach } from './attach.ts';

/** Breaches of the laws about what a refused call, a detach that lacks memory, or a dead ftrace may change. */
export const KNOWN_LIFETIMES: readonly KnownAttach[] = [
  {
    name: 'direct-mode-of-a-user-that-did-not-come',
    sentence:
      'register_ftrace_graph() that fails for its first user leaves that user chosen for direct calls.',
    evidence:
      'kernel/trace/fgraph.c of 6.12.117 and 7.2.13  register_ftrace_graph: ftrace_graph_enable_direct() comes before start_graph_tracing(), and the error path does not undo it (F8)',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.12', '7.2'],
    shows: /, and fgraph\/(directGops|doDirect) is /,
    example: 'the next allocation in ftrace_startup_subops fails; register_ftrace_graph(gops#1)',
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
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_kprobe(kprobe#1, f1, post_handler); register_ftrace_direct_multi(direct#1, my_tramp1)',
  },
  {
    name: 'entry-of-another-interface-is-destroyed',
    sentence:
      'unregister_ftrace_direct(ip, addr) on the direct call of a BPF trampoline or of a *_multi ops answers ENOENT and removes its entry all the same.',
    evidence: 'recorded on 6.1.192 (api61 1, api61 47: s 1001/7-8, 1047/1-3; correction 12)',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.1'],
    shows: /^(ENOENT|ENOMEM), and (text|ftrace)\//,
    when: ({ moment: { action } }) => action.do === 'unregister_ftrace_direct(ip)',
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); register_ftrace_direct(f2, my_tramp1); unregister_ftrace_direct(f1, tramp#1)',
  },
  {
    name: 'owners-that-agreed-stay-changed',
    sentence:
      'An IPMODIFY ops is refused for one of its functions; the trampolines of the others have been rebuilt for it and stay so (F12).',
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
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_kprobe(kprobe#1, f2, post_handler); register_kprobe(kprobe#2, f1, post_handler); register_ftrace_function(ops#1)',
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
      outcome.warnings.some(({ is }) => is === 'program not taken off' || is === 'multi link not taken off'),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); the next allocation in update_ftrace_direct_del fails; close(link#1)',
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
      injected &&
      outcome.warnings.some(
        (one) =>
          one.is === 'program not taken off' ||
          one.is === 'program not skipped' ||
          (one.is === 'multi link not taken off' && one.by === 'bpf_tramp_attach_unlink'),
      ),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); prog#2 = BPF_PROG_LOAD(fentry, f1); the next allocation in bpf_trampoline_update fails; close(link#1)',
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
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in ftrace_set_hash fails; unregister_kprobe(kprobe#1)',
  },
  {
    name: 'second-ipmodify-function-is-not-negotiated',
    sentence:
      'A function that joins a registered IPMODIFY ops is not announced to the owner of its direct call, whose image is jumped to.',
    evidence:
      'recorded on 7.2.13 (b+ f2 0 fexit; kpon f6 1; kpon f2 1: 0xdc bytes beside IPMODIFY; correction 8, F2)',
    law: 'trampoline/no-jump-under-a-live-patch',
    kernels: ['7.2'],
    shows: /^the direct call of .* is called: an IPMODIFY ops is there \/ jmp tramp#\d+$/,
    when: ({ moment: { action } }) => action.do === 'register_kprobe' || action.do === 'ftrace_set_filter_ip',
    example:
      'prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_kprobe(kprobe#1, f2, post_handler); register_kprobe(kprobe#2, f1, post_handler)',
  },
  ...['caller-gets-the-return-value', 'what-was-promised-is-what-runs'].map(
    (law): KnownAttach => ({
      name: `second-ipmodify-function-keeps-its-body-seen-by-${law}`,
      sentence:
        'A function that joins a registered IPMODIFY ops is not announced to the owner of its direct call, whose image goes on calling the body behind the call site, and not its replacement.',
      evidence:
        'correction 8 (F2); kernel/trace/ftrace.c of all three  ftrace_set_hash: __ftrace_hash_update_ipmodify() alone, and no FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER',
      law: `ftrace/${law}`,
      kernels: ['6.1', '6.12', '7.2'],
      shows: / returns 0xaaaa000055550000 \/ its caller gets | runs the replacement \/ it runs the body /,
      when: ({ finding, moment: { after } }) => {
        const fn = Object.keys(after.bpf.trampolines).find((ip) => finding.expected.split(' ').includes(ip));
        return fn !== undefined && !after.bpf.trampolines[fn]!.flags.SHARE_IPMODIFY;
      },
      example:
        'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f2); link#1 = BPF_LINK_CREATE(prog#1); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f2); task#1 calls f2(0x5100000071000000)',
    }),
  ),
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
    example:
      'ops#1 = ftrace_ops(); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f1, 1, 0)',
  },
  {
    name: 'kprobe-takes-the-place-of-one-that-could-not-leave',
    sentence:
      'A kprobe that could not be disarmed stays in the table without an address; the next one at its place does not find it.',
    evidence:
      'kernel/kprobes.c of 6.1.192 and 6.12.117  __unregister_kprobe_top, get_kprobe; 7.2.13 does not refuse the next one',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.1', '6.12'],
    shows: /, and probes\/kprobeTable\//,
    when: ({ moment: { before } }) => Object.values(before.probes.kprobes).some(({ ip }) => ip === ''),
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in __ftrace_hash_move_and_update_ops fails; unregister_kprobe(kprobe#1); the next allocation in __ftrace_hash_move_and_update_ops fails; register_kprobe(kprobe#2, f1)',
  },
  {
    name: 'unregistering-what-is-not-registered-ends-a-share',
    sentence:
      'unregister_ftrace_function() of an IPMODIFY ops that is not registered answers EBUSY and tells the owners of direct calls on its filter that the live patch has gone: their images are made anew, and a live patch that works there may be bypassed.',
    evidence:
      'kernel/trace/ftrace.c of all three  unregister_ftrace_function: cleanup_direct_functions_after_ipmodify() whatever ftrace_shutdown() answers',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /^(EBUSY|EPERM), and (text|ftrace|bpf)\//,
    when: ({ moment: { before, action } }) =>
      action.do === 'unregister_ftrace_function' &&
      Object.values(before.bpf.trampolines).some(({ flags }) => flags.SHARE_IPMODIFY),
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_kprobe(kprobe#1, f1, post_handler); unregister_ftrace_function(ops#1)',
  },
  {
    name: 'dead-ftrace-takes-more-direct-calls',
    sentence:
      'When ftrace is dead, a direct call that joins or leaves an ops with other sites is answered with 0: the records are counted, and no site is patched.',
    evidence:
      'kernel/trace/ftrace.c of 7.2.13  update_ftrace_direct_add, update_ftrace_direct_del, ftrace_update_ops: no look at ftrace_disabled',
    law: 'ftrace/dead-is-absorbing',
    kernels: ['7.2'],
    shows: /^ftrace\/records\/\w+\/(count|flags) stays /,
    when: ({ moment: { action } }) =>
      /^(BPF_LINK_CREATE|BPF_RAW_TRACEPOINT_OPEN|close\(link\)|update_ftrace_direct_(add|del))$/.test(
        action.do,
      ),
    example:
      'update_ftrace_direct_add(direct#1, { f1: my_tramp1 }); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); update_ftrace_direct_add(direct#1, { f2: my_tramp1 })',
  },
];

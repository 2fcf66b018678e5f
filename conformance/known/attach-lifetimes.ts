import type { Action } from '../../model/client/all.ts';
import { opsOf } from '../../model/ftrace/ops.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';

/** Breaches of the laws on what a detach without memory, or a dead ftrace, may change. */
export const KNOWN_LIFETIMES: readonly KnownAttach[] = [
  known({
    name: 'image-of-a-program-that-failed-to-detach',
    sentence:
      'The last program is detached, but the call site cannot be changed for lack of memory: the image stays, with the program skipped.',
    evidence:
      'kernel/bpf/trampoline.c of 7.2.13  bpf_trampoline_update: returns before bpf_tramp_image_put()',
    law: 'trampoline/image-matches-attached-programs',
    kernels: ['7.2'],
    finding: 'image-is-for-others',
    when: ({ image }, breach) =>
      image !== null &&
      breach.moment.faults.length > 0 &&
      breach.moment.outcome.warnings.some(
        ({ is }) => is === 'program not taken off' || is === 'multi link not taken off',
      ),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); the next allocation in update_ftrace_direct_del fails; close(link#1)',
  }),
  known({
    name: 'image-of-a-program-that-left-for-lack-of-memory',
    sentence:
      'A detached program leaves the list first; if the next image cannot be generated, the old one still calls it.',
    evidence:
      'kernel/bpf/trampoline.c of 6.1.192 and 6.12.117  bpf_trampoline_unlink_prog: hlist_del_init() before bpf_trampoline_update()',
    law: 'trampoline/image-matches-attached-programs',
    kernels: ['6.1', '6.12'],
    finding: 'image-is-for-others',
    when: ({ image }, breach) =>
      image !== null &&
      breach.moment.faults.length > 0 &&
      breach.moment.outcome.warnings.some(
        (warning) =>
          warning.is === 'program not taken off' ||
          warning.is === 'program not skipped' ||
          (warning.is === 'multi link not taken off' && warning.by === 'bpf_tramp_attach_unlink'),
      ),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); prog#2 = BPF_PROG_LOAD(fentry, f1); the next allocation in bpf_trampoline_update fails; close(link#1)',
  }),
  known({
    name: 'detaching-takes-memory',
    sentence:
      "Removing a function from a filter, leaving function graph's manager, or making the smaller hash or image takes memory; without it the client stays.",
    evidence:
      'kernel/trace/ftrace.c  ftrace_set_hash, ftrace_shutdown_subops, update_ftrace_direct_del; kernel/kprobes.c  __disarm_kprobe_ftrace; kernel/bpf/trampoline.c  bpf_trampoline_update; kernel/bpf/syscall.c  bpf_tracing_link_release, all of which warn',
    law: 'ftrace/detach-needs-no-memory',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'detaching-needs-memory',
    when: ({ action, routine }) => LACKED[action]?.includes(routine) ?? false,
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in ftrace_set_hash fails; unregister_kprobe(kprobe#1)',
  }),
  known({
    name: 'last-function-is-removed-from-a-filter',
    sentence:
      'ftrace_set_filter_ip() that removes the last function of a registered ops returns 0, and the ops traces everything.',
    evidence: 'kernel/trace/ftrace.c of all three  ftrace_hash_empty: an empty filter is no filter',
    law: 'ftrace/empty-filter-does-not-trace-everything',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'filter-became-everything',
    when: ({ ops }, { moment: { action } }) =>
      (action.do === 'ftrace_set_filter_ip' && action.ops === ops && action.remove) ||
      (action.do === 'set_ftrace_filter' && action.remove && action.truncate !== true),
    example:
      'ops#1 = ftrace_ops(); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f1, 1, 0)',
  }),
  known({
    name: 'filter-of-a-registered-ops-is-freed',
    sentence:
      'A direct call is unregistered while ftrace is dead: it stays on the list, and its filter is freed all the same.',
    evidence:
      'kernel/trace/ftrace.c of 6.12.117  unregister_ftrace_direct: ftrace_free_filter() whatever unregister_ftrace_function() answered; of 6.1.192, where the client calls it, and 6.12.117  ftrace_free_filter: no check of FTRACE_OPS_FL_ENABLED, which 7.2.13 has',
    law: 'ftrace/empty-filter-does-not-trace-everything',
    kernels: ['6.1', '6.12'],
    finding: 'filter-became-everything',
    when: ({ ops }, { moment: { action, outcome } }) =>
      action.do === 'unregister_ftrace_direct' &&
      action.ops === ops &&
      action.freeFilters &&
      outcome.errno === 'ENODEV',
    restsOn: ['filterReset'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); unregister_ftrace_direct_multi(direct#1, my_tramp1, true)',
  }),
  known({
    name: 'dead-ftrace-accepts-direct-calls',
    sentence:
      'With ftrace dead, a direct call that joins or leaves an ops with other sites returns 0: the records are counted, and no site is patched.',
    evidence:
      'kernel/trace/ftrace.c of 7.2.13  update_ftrace_direct_add, update_ftrace_direct_del, ftrace_update_ops: no check of ftrace_disabled',
    law: 'ftrace/dead-ftrace-stays-dead',
    kernels: ['7.2'],
    finding: ['dead-ftrace-changes', 'dead-ftrace-accepts', 'dead-ftrace-keeps-ops'],
    when: (finding, { moment: { before, action, after } }) => {
      // A link adds its functions one after the other: ftrace dies over one that the ops did not begin with.
      if (finding.is === 'dead-ftrace-keeps-ops')
        return action.do === 'BPF_LINK_CREATE' && opsOf(after, finding.ops).filter.length > 1;
      if (finding.is === 'dead-ftrace-accepts')
        return action.do === 'update_ftrace_direct_add' && opsOf(before, action.ops).filter.length > 0;
      const [room, table, , field] = finding.place;
      return (
        room === 'ftrace' &&
        table === 'records' &&
        (field === 'count' || field === 'flags') &&
        ADDS_OR_REMOVES.includes(action.do)
      );
    },
    restsOn: ['directApi'],
    example:
      'update_ftrace_direct_add(direct#1, { f1: my_tramp1 }); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); update_ftrace_direct_add(direct#1, { f2: my_tramp1 })',
  }),
];

/** Detaching, and the routines in which it lacks memory. */
const OF_FTRACE = ['ftrace_set_hash', '__ftrace_hash_move_and_update_ops'];
const OF_A_MANAGER = ['append_hashes', 'intersect_hashes', 'rebuild_hashes'];
const LACKED: Readonly<Partial<Record<Action['do'], readonly string[]>>> = {
  unregister_kprobe: OF_FTRACE,
  unregister_kretprobe: OF_FTRACE,
  unregister_ftrace_graph: [...OF_A_MANAGER, ...OF_FTRACE],
  unregister_fprobe: [...OF_A_MANAGER, ...OF_FTRACE],
  'close(link)': [
    'bpf_trampoline_update',
    'update_ftrace_direct_del',
    '__ftrace_hash_move_and_update_ops',
    ...OF_A_MANAGER,
  ],
  update_ftrace_direct_del: ['update_ftrace_direct_del', ...OF_FTRACE],
  'unregister_ftrace_direct(ip)': OF_FTRACE,
};

/** The calls that change the functions of a registered direct ops. */
const ADDS_OR_REMOVES: readonly Action['do'][] = [
  'BPF_LINK_CREATE',
  'BPF_RAW_TRACEPOINT_OPEN',
  'close(link)',
  'update_ftrace_direct_add',
  'update_ftrace_direct_del',
];

import { kprobeNamed } from '../../model/client/switched-probe.ts';
import { KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS } from '../../model/ftrace/arm-kprobe.ts';
import { subopsOf } from '../../model/ftrace/fgraph.ts';
import type { Changed } from '../../properties/finding/answer-finding.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import {
  couldNotLeaveTheManager,
  failsHere,
  functionOf,
  hasFailed,
  hasJoinedAnother,
  isBelow,
  KPROBE_ARMS,
  KPROBE_LEAVES,
  stepsOf,
} from './cause.ts';

/** What stays because the way back of a refused call lacks memory itself. */
export const KNOWN_ROLLBACKS: readonly KnownAttach[] = [
  known({
    name: 'filter-of-a-refused-kprobe-stays',
    sentence:
      'A kprobe cannot be armed, and there is no memory to take its function out of the filter again: the ops of kprobes traces it from its next kprobe on.',
    evidence:
      'kernel/kprobes.c of all three  __arm_kprobe_ftrace: the answer of the second ftrace_set_filter_ip() is not used',
    law: 'ftrace/user-counts-match-users',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'counter-differs',
    when: ({ counter, expected, observed }, breach) =>
      ['kprobe_ftrace_enabled', 'kprobe_ipmodify_enabled'].includes(counter) &&
      expected > observed &&
      hasFailed(breach, KPROBE_ARMS, 'allocation', SETS_FILTER),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); the 2nd allocation in ftrace_set_hash fails; register_kprobe(kprobe#1, f1, post_handler)',
  }),
  known({
    name: 'refused-kprobe-keeps-its-filter',
    sentence:
      'The same kprobe, or one that is enabled, is refused, and its function is in the filter of the ops of kprobes.',
    evidence:
      'as filter-of-a-refused-kprobe-stays; 7.2 refuses a kprobe that it could not arm if it joins another or is enabled',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) =>
      KPROBE_ARMS.some((call) => call === breach.moment.action.do) &&
      failsHere(breach, SETS_FILTER) &&
      changes.every(isOfKprobeOps),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED); the 2nd allocation in ftrace_set_hash fails; enable_kprobe(kprobe#1)',
  }),
  known({
    name: 'refused-kprobe-clears-a-stale-filter',
    sentence:
      'The function of a kprobe that could not be disarmed stays in the filter of the ops of kprobes, until another kprobe on it is refused: that takes it out, and of the table too where the first had stayed.',
    evidence:
      'kernel/kprobes.c of all three  __disarm_kprobe_ftrace, __arm_kprobe_ftrace: ftrace_set_filter_ip()',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) =>
      KPROBE_ARMS.some((call) => call === breach.moment.action.do) &&
      hasFailed(breach, [...KPROBE_LEAVES, 'disable_kprobe'], 'allocation', SETS_FILTER) &&
      changes.some(isOfKprobeOps) &&
      changes.every((change) => isOfKprobeOps(change) || isBelow(change.place, 'probes', 'kprobeTable')),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_kprobe(kprobe#1, f1, post_handler); the next allocation in ftrace_set_hash fails; unregister_kprobe(kprobe#1); register_ftrace_direct_multi(direct#1, my_tramp1); register_kprobe(kprobe#2, f1, post_handler, KPROBE_FLAG_DISABLED); enable_kprobe(kprobe#2)',
  }),
  known({
    name: 'kprobe-that-stays-enabled-is-disarmed',
    sentence:
      'disable_kprobe() lacks memory to take the function out of the filter after it has disarmed the probe: it answers ENOMEM, and the probe is enabled and never runs.',
    evidence:
      'kernel/kprobes.c of all three  __disarm_kprobe_ftrace, __disable_kprobe: a failure of ftrace_set_filter_ip() comes after unregister_ftrace_function() and the count',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) =>
      breach.moment.action.do === 'disable_kprobe' &&
      failsHere(breach, SETS_FILTER) &&
      changes.every(isOfDisarming),
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in ftrace_set_hash fails; disable_kprobe(kprobe#1)',
  }),
  known({
    name: 'kprobe-of-another-ops-cannot-be-disabled',
    sentence:
      'disable_kprobe() of a probe whose address was armed without a post_handler and then got one disarms through kprobe_ipmodify_ops: it answers ENOENT, the count of that ops drops, at zero it is unregistered, and the probe stays enabled.',
    evidence: 'as kprobe-is-disarmed-by-another-ops',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) => {
      const { action, before } = breach.moment;
      if (action.do !== 'disable_kprobe') return false;
      const ip = functionOf(before, kprobeNamed(action).kprobe);
      return hasJoinedAnother(breach, (joined) => joined === ip) && changes.every(isOfDisarming);
    },
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); unregister_kprobe(kprobe#2); disable_kprobe(kprobe#1)',
  }),
  known({
    name: 'filter-of-a-refused-direct-call-stays',
    sentence:
      'register_ftrace_direct(ip, addr) is refused, and lacks memory to take its function out of the filter of direct_ops again.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  register_ftrace_direct: the answer of the second ftrace_set_filter_ip() is not used',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) =>
      breach.moment.action.do === 'register_ftrace_direct(ip)' &&
      failsHere(breach, SETS_FILTER) &&
      changes.every(({ place }) => isBelow(place, 'ftrace', 'ops', 'direct_ops')),
    restsOn: ['directApi'],
    example:
      'sysctl kernel.ftrace_enabled=0; the 2nd allocation in ftrace_set_hash fails; register_ftrace_direct(f1, my_tramp1)',
  }),
  known({
    name: 'descriptor-of-a-refused-direct-call-stays',
    sentence:
      'register_ftrace_direct(ip, addr) has made a descriptor of the trampoline, and lacks memory for the entry, or for a larger table: it returns ENOMEM, and the descriptor stays.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  register_ftrace_direct: out_unlock after ftrace_add_rec_direct()',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['6.1'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) =>
      breach.moment.action.do === 'register_ftrace_direct(ip)' &&
      failsHere(breach, ['register_ftrace_direct(ip)']) &&
      changes.every(({ place }) => isBelow(place, 'ftrace', 'directFuncs')),
    restsOn: ['directApi'],
    example: 'the 2nd allocation in register_ftrace_direct(ip) fails; register_ftrace_direct(f1, my_tramp1)',
  }),
  known({
    name: 'function-of-a-refused-kprobe-stays',
    sentence: 'The same after every kprobe has gone: the function is still in the filter.',
    evidence: 'as filter-of-a-refused-kprobe-stays',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'leftovers',
    when: ({ what: [{ is, of }] }, breach) =>
      is === 'filter' &&
      [KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS].includes(of) &&
      hasFailed(breach, KPROBE_ARMS, 'allocation', SETS_FILTER),
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); the 2nd allocation in ftrace_set_hash fails; register_kprobe(kprobe#1, f1, post_handler); all grace periods end',
  }),
  known({
    name: 'probe-of-a-refused-graph-user-stays',
    sentence:
      'The probe of sched_switch that a refused first user of function graph leaves is never unregistered.',
    evidence: 'as refused-graph-user-leaves-its-probe',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.12', '7.2'],
    finding: 'leftovers',
    when: ({ what: [{ is }] }, breach) =>
      is === 'probe of sched_switch' &&
      stepsOf(breach).some(
        ({ before, after, outcome }) =>
          outcome.errno !== 0 && !before.fgraph.switchProbe && after.fgraph.switchProbe,
      ),
    restsOn: ['fgraph'],
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); the next allocation in ftrace_startup_subops fails; register_ftrace_graph(gops#1); all grace periods end',
  }),
  known({
    name: 'refused-fprobe-joins-the-filter-of-all',
    sentence:
      'The user of function graph that fprobes share could not leave for lack of memory: the next fprobe or kprobe.multi link is refused (EBUSY), and its functions stay in the filter, which is not freed, as the subops is enabled.',
    evidence:
      'shown on 7.2.13 (an fprobe and function_graph of two instances; a debugger lets alloc_and_copy_ftrace_hash() answer NULL below rebuild_hashes() as the fprobe is switched off): the next fprobe is EBUSY, with the warnings that the model gives, and its function is in the filter of fprobe_graph_ops; kernel/trace/fprobe.c of 7.2.13  fprobe_graph_add_ips: ftrace_free_filter() when register_ftrace_graph() fails; kernel/trace/ftrace.c  ftrace_free_filter: out with a WARN if the ops is enabled; kernel/trace/fgraph.c  unregister_ftrace_graph: the answer of ftrace_shutdown_subops() is ignored',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['7.2'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) => {
      const { action, outcome } = breach.moment;
      return (
        (action.do === 'register_fprobe_ips' || action.do === 'BPF_LINK_CREATE') &&
        outcome.warnings.some(({ is }) => is === 'enabled subops started') &&
        couldNotLeaveTheManager(breach) &&
        changes.every(isOfSharedFilter)
      );
    },
    restsOn: ['fgraph', 'fprobe'],
    example:
      'register_fprobe_ips(fprobe#1, { f1 }, exit_handler); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); the next allocation in rebuild_hashes fails; unregister_fprobe(fprobe#1); register_fprobe_ips(fprobe#2, { f2 }, exit_handler)',
  }),
];

/** The routines of ftrace_set_filter_ip() that allocate. */
const SETS_FILTER = ['ftrace_set_hash', '__ftrace_hash_move_and_update_ops'];

/** A change of the filter of an ops of kprobes. */
function isOfKprobeOps({ place }: Changed): boolean {
  return [KPROBE_FTRACE_OPS, KPROBE_IPMODIFY_OPS].some((ops) => isBelow(place, 'ftrace', 'ops', ops));
}

/** A change that disarming a kprobe makes. */
function isOfDisarming({ place }: Changed): boolean {
  return isBelow(place, 'text') || isBelow(place, 'ftrace') || isBelow(place, 'probes', 'armed');
}

/** The changes of the filter of the user that fprobes share. */
function isOfSharedFilter({ place }: Changed): boolean {
  return isBelow(place, 'ftrace', 'ops', subopsOf('fprobe_graph_ops'), 'filter');
}

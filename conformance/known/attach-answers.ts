import type { KernelView } from '../../model/kernel.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { isKprobeNever, tableName, wasLost } from './attach-firings.ts';
import {
  functionOf,
  hasFailed,
  hasJoinedAnother,
  isArmed,
  isInTable,
  isKeptByADeadFtrace,
  isPlace,
  KPROBE_LEAVES,
  kprobeOf,
  withoutLast,
} from './cause.ts';

const KPROBE_ERROR =
  'recorded on 7.2.13 (38 cases, common 18 among them; correction 7); kernel/kprobes.c  __register_kprobe drops the errno of arm_kprobe';

/** Breaches of the laws on answers and on the set of poked call sites. */
export const KNOWN_ANSWERS: readonly KnownAttach[] = [
  known({
    name: 'dead-kprobe-is-registered-again',
    sentence: 'A kprobe that could not be armed is not in the table: registering it again returns 0.',
    evidence: KPROBE_ERROR,
    law: 'ftrace/no-double-registration',
    kernels: ['7.2'],
    finding: 'object-is-accepted',
    when: ({ action, registered }, breach) => {
      const own = kprobeOf(breach.moment.action);
      return (
        action.startsWith('register') &&
        registered &&
        own !== undefined &&
        wasLost(withoutLast(breach), own.probe)
      );
    },
    restsOn: ['kprobeErrorLost'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(direct#1, my_tramp1); register_kprobe(kprobe#1, f1, post_handler); register_kprobe(kprobe#1, f1, post_handler)',
  }),
  known({
    name: 'kprobe-that-a-dead-ftrace-keeps-is-disabled',
    sentence:
      'A kprobe that its unregistration could not disarm stays in the table. A second registration is refused and gives it its address again; with ftrace dead, disable_kprobe() then returns 0.',
    evidence:
      'kernel/kprobes.c of 6.12.117  register_kprobe sets p->addr before warn_kprobe_rereg(); __disarm_kprobe_ftrace returns 0 with kprobe_ftrace_disabled',
    law: 'ftrace/no-double-registration',
    kernels: ['6.12', '7.2'],
    finding: 'object-is-accepted',
    when: ({ registered }, breach) => !registered && isKeptByADeadFtrace(breach, 'disable_kprobe'),
    restsOn: ['kprobesSurviveFtrace'],
    example:
      'register_kprobe(kprobe#1, f1); the next poke in ftrace_replace_code fails; unregister_kprobe(kprobe#1); register_kprobe(kprobe#1, f1); disable_kprobe(kprobe#1)',
  }),
  known({
    name: 'kprobe-that-a-dead-ftrace-keeps-is-enabled',
    sentence:
      'A kprobe that its unregistration could not disarm stays in the table, enabled. A second registration is refused and gives it its address again: enable_kprobe() then has nothing to do, and returns 0.',
    evidence:
      'kernel/kprobes.c of all three  register_kprobe sets p->addr before warn_kprobe_rereg(); enable_kprobe: arm_kprobe() for a disabled one alone',
    law: 'ftrace/no-double-registration',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'object-is-accepted',
    when: ({ registered }, breach) => !registered && isKeptByADeadFtrace(breach, 'enable_kprobe'),
    restsOn: [],
    example:
      'register_kprobe(kprobe#1, f1); the next poke in ftrace_replace_code fails; unregister_kprobe(kprobe#1); register_kprobe(kprobe#1, f1); enable_kprobe(kprobe#1)',
  }),
  known({
    name: 'dead-kretprobe-loses-its-pool',
    sentence:
      'A kretprobe that could not be armed, though its registration returned 0, is registered again and refused: its pool of nodes is freed.',
    evidence: `${KPROBE_ERROR}; register_kretprobe frees rp->rh when register_kprobe() fails`,
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: ['7.2'],
    restsOn: ['kprobeErrorLost', 'kretprobe'],
    finding: 'refusal-leaves-a-trace',
    when: ({ changes }, breach) => {
      const { action } = breach.moment;
      return (
        action.do === 'register_kretprobe' &&
        wasLost(withoutLast(breach), `${action.kretprobe}.kp`) &&
        changes.every(({ place }) =>
          ['kretprobes', 'rethooks'].some((table) => isPlace(place, 'probes', table, action.kretprobe)),
        )
      );
    },
    example:
      'the next allocation in __ftrace_hash_move_and_update_ops fails; register_kretprobe(kretprobe#1, f1, maxactive=0); register_kprobe(kprobe#1, f1); the next allocation in register_kprobe fails; register_kretprobe(kretprobe#1, f1, maxactive=0)',
  }),
  known({
    name: 'kprobe-joins-one-that-failed-to-unregister',
    sentence:
      'A kprobe that could not be disarmed stays in the table; one that joins it is not armed again, and no ops traces the site.',
    evidence: 'kernel/kprobes.c of all three  __unregister_kprobe_top, register_aggr_kprobe',
    law: 'ftrace/success-means-attached',
    kernels: ['6.1', '6.12'],
    finding: 'client-is-not-served',
    when: ({ ip }, breach) => {
      const { before, action } = breach.moment;
      return (
        kprobeOf(action)?.ip === ip &&
        before.probes.kprobeTable[ip] !== undefined &&
        !isArmed(before, ip) &&
        hasFailed(breach, KPROBE_LEAVES, 'allocation')
      );
    },
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in ftrace_set_hash fails; unregister_kprobe(kprobe#1); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1)',
  }),
  known({
    name: 'kprobe-that-joined-one-that-failed-to-unregister-is-dead',
    sentence: 'The same kprobe, shown by its calls: it never fires.',
    evidence: 'kernel/kprobes.c of all three  __unregister_kprobe_top, register_aggr_kprobe',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.1', '6.12'],
    finding: 'hits-differ',
    when: (finding, breach) =>
      isKprobeNever(finding) &&
      !isArmed(breach.moment.after, finding.fn) &&
      isInTable(breach.moment.after, tableName(finding)) &&
      hasFailed(breach, KPROBE_LEAVES, 'allocation'),
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in ftrace_set_hash fails; unregister_kprobe(kprobe#1); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'kprobe-is-not-armed-after-a-wrong-count',
    sentence:
      'The count of a kprobe ops differs from its filter, because a kprobe was disarmed through the other ops or not at all for lack of memory: the next registration returns 0 without registering the ops with ftrace.',
    evidence:
      'defect 2 (set bug, 6000 to 6002; correction 9); kernel/kprobes.c  disarm_kprobe_ftrace, __arm_kprobe_ftrace',
    law: 'ftrace/success-means-attached',
    kernels: ['6.1', '6.12'],
    finding: 'client-is-not-served',
    when: ({ ip }, breach) => {
      const { before, action } = breach.moment;
      return (
        kprobeOf(action)?.ip === ip &&
        before.probes.kprobeTable[ip] === undefined &&
        hasWrongCount(before) &&
        (hasJoinedAnother(breach) || hasFailed(breach, KPROBE_LEAVES, 'allocation'))
      );
    },
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); unregister_kprobe(kprobe#2); unregister_kprobe(kprobe#1); register_kprobe(kprobe#2, f2, post_handler)',
  }),
  known({
    name: 'site-of-another-direct-call-is-poked',
    sentence:
      'unregister_ftrace_direct(ip, addr) of a site that another interface owns unregisters direct_ops if direct_ops has one site.',
    evidence:
      'kernel/trace/ftrace.c (6.1)  unregister_ftrace_direct: hash->count == 1 is checked before the ip; recorded (common 1001, 1047; correction 12)',
    law: 'ftrace/only-changed-sites-are-poked',
    kernels: ['6.1'],
    finding: 'pokes-differ',
    when: ({ action, expected }, { moment: { before, after, outcome } }) =>
      action === 'unregister_ftrace_direct(ip)' &&
      expected === 0 &&
      outcome.errno !== 0 &&
      before.ftrace.opsList.includes('direct_ops') &&
      !after.ftrace.opsList.includes('direct_ops'),
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1)',
  }),
  known({
    name: 'site-of-another-kprobe-is-poked',
    sentence:
      'A kprobe with a post_handler that joined one without is disarmed through kprobe_ipmodify_ops: if that ops has one user, it is unregistered.',
    evidence:
      'defect 2 (set bug, 6000 to 6002; correction 9); kernel/kprobes.c  disarm_kprobe_ftrace, __disarm_kprobe_ftrace',
    law: 'ftrace/only-changed-sites-are-poked',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'pokes-differ',
    when: ({ expected }, breach) => {
      const own = kprobeOf(breach.moment.action);
      if (own === undefined || expected !== 0 || breach.moment.action.do.startsWith('register')) return false;
      const ip = functionOf(breach.moment.before, own.probe);
      return hasJoinedAnother(breach, (joined) => joined === ip);
    },
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); register_kprobe(kprobe#3, f2, post_handler); unregister_kprobe(kprobe#1); unregister_kprobe(kprobe#2)',
  }),
  known({
    name: 'direct-ops-has-no-hash-yet',
    sentence:
      "A direct call of a client's own ops is unregistered by (ip, address) before that interface was ever used: direct_ops has no filter hash, and no check is made for one.",
    evidence:
      'kernel/trace/ftrace.c of 6.1  unregister_ftrace_direct: hash = direct_ops.func_hash->filter_hash, and hash->count == 1',
    law: 'ftrace/operations-neither-oops-nor-hang',
    kernels: ['6.1'],
    finding: 'operation-dies',
    when: ({ action, died }, { moment: { before } }) =>
      action === 'unregister_ftrace_direct(ip)' &&
      died.is === 'direct_ops without filter' &&
      !before.ftrace.directOpsHasHash,
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1)',
  }),
  known({
    name: 'freed-trampoline-is-notified-of-a-live-patch',
    sentence:
      'A trampoline that was freed while its ops was on ftrace_ops_list is notified that the live patch leaves: it has no image to update.',
    evidence:
      'recorded on 6.1.192 (freg f2 2; b+ f2 0 fentry; b+ f2 1 fexit; b- - 0; b- - 1; funreg f2 2): RIP bpf_trampoline_update; kernel/trace/ftrace.c  cleanup_direct_functions_after_ipmodify',
    law: 'ftrace/operations-neither-oops-nor-hang',
    kernels: ['6.1'],
    finding: 'operation-dies',
    when: ({ died }, { moment: { before } }) =>
      died.is === 'trampoline without image' && Object.keys(before.bpf.staleTrampolines ?? {}).length > 0,
    restsOn: ['bpfEagainResetsOps'],
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1); prog#1 = BPF_PROG_LOAD(fentry, f1); prog#2 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); link#2 = BPF_LINK_CREATE(prog#2); task#1 calls f1(0x5100000071000000); close(link#1); close(link#2); unregister_ftrace_function(ops#1)',
  }),
];

/** An ops of kprobes whose count differs from its filter. */
function hasWrongCount({ probes, ftrace }: KernelView): boolean {
  return Object.entries(probes.armed).some(([ops, count]) => count !== (ftrace.ops[ops]?.filter.length ?? 0));
}

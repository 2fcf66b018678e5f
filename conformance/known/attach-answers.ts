import type { KnownAttach } from './attach.ts';
import { isArmed, KPROBE_NEVER } from './attach.ts';

const KPROBE_ERROR =
  'recorded on 7.2.13 (38 cases, common 18 among them; correction 7); kernel/kprobes.c  __register_kprobe drops the errno of arm_kprobe';

/** Breaches of the laws about what an answer means, and about whose call sites an operation pokes. */
export const KNOWN_ANSWERS: readonly KnownAttach[] = [
  {
    name: 'dead-kprobe-is-registered-again',
    sentence:
      'A kprobe that could not be armed is not in the table: registering it again is answered with 0.',
    evidence: KPROBE_ERROR,
    law: 'ftrace/objects-are-attached-once',
    kernels: ['7.2'],
    shows: /^register_k(ret)?probe refuses .* it answers 0$/,
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(direct#1, my_tramp1); register_kprobe(kprobe#1, f1, post_handler); register_kprobe(kprobe#1, f1)',
    when: ({ moment: { before, action } }) => {
      const probe =
        action.do === 'register_kprobe'
          ? action.kprobe
          : action.do === 'register_kretprobe' && `${action.kretprobe}.kp`;
      return !Object.values(before.probes.kprobeTable).some(({ probes }) => probes.includes(String(probe)));
    },
  },
  {
    name: 'kprobe-joins-one-that-could-not-leave',
    sentence:
      'A kprobe that could not be disarmed stays in the table, and whoever joins it is not armed anew: nobody traces the site.',
    evidence: 'kernel/kprobes.c of all three  __unregister_kprobe_top, register_aggr_kprobe',
    law: 'ftrace/success-means-attached',
    kernels: ['6.1', '6.12'],
    shows: /^k(ret)?probe#\d+ is attached to /,
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in __ftrace_hash_move_and_update_ops fails; unregister_kprobe(kprobe#1); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1)',
    when: ({ moment: { before, action, injected } }) =>
      injected &&
      (action.do === 'register_kprobe' || action.do === 'register_kretprobe') &&
      before.probes.kprobeTable[action.ip] !== undefined,
  },
  {
    name: 'kprobe-that-joined-one-that-could-not-leave-is-dead',
    sentence: 'The same kprobe, seen by its calls: it is never told of any.',
    evidence: 'kernel/kprobes.c of all three  __unregister_kprobe_top, register_aggr_kprobe',
    law: 'ftrace/every-probe-fires-once',
    kernels: ['6.1', '6.12'],
    shows: KPROBE_NEVER,
    when: ({ finding, moment: { after, injected } }) =>
      injected && !isArmed(after, finding.expected.split(' ')[2]!),
    example:
      'register_kprobe(kprobe#1, f1); the next allocation in __ftrace_hash_move_and_update_ops fails; unregister_kprobe(kprobe#1); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1); task#1 calls f1(0x5100000071000000)',
  },
  {
    name: 'kprobe-is-not-armed-behind-a-wrong-count',
    sentence:
      'An ops of kprobes counts others than its filter has, because one was disarmed through the other ops, or could not be for lack of memory: the next probe is answered 0 and not registered with ftrace.',
    evidence:
      'defect 2 (set bug, 6000 to 6002; correction 9); kernel/kprobes.c  disarm_kprobe_ftrace, __arm_kprobe_ftrace',
    law: 'ftrace/success-means-attached',
    kernels: ['6.1', '6.12'],
    shows: /^k(ret)?probe#\d+ is attached to .* \/ it is traced by /,
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); unregister_kprobe(kprobe#2); unregister_kprobe(kprobe#1); register_kprobe(kprobe#2, f2, post_handler)',
    when: ({ moment: { before, action } }) =>
      'ip' in action &&
      before.probes.kprobeTable[action.ip] === undefined &&
      Object.entries(before.probes.armed).some(
        ([ops, count]) => count !== (before.ftrace.ops[ops]?.filter.length ?? 0),
      ),
  },
  {
    name: 'site-of-another-direct-call-is-poked',
    sentence:
      'unregister_ftrace_direct(ip, addr) of a site that another interface owns takes direct_ops off the list if that has one site.',
    evidence:
      'kernel/trace/ftrace.c (6.1)  unregister_ftrace_direct: hash->count == 1 is looked at before the ip; recorded (common 1001, 1047; correction 12)',
    law: 'ftrace/only-what-changes-is-poked',
    kernels: ['6.1'],
    shows: /^unregister_ftrace_direct\(ip\) pokes the call site of \w+ not at all /,
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1)',
    when: ({ moment: { outcome } }) => outcome.errno !== 0,
  },
  {
    name: 'site-of-another-kprobe-is-poked',
    sentence:
      'A kprobe with a post_handler that joined one without is disarmed through kprobe_ipmodify_ops: if that has one user, it is unregistered.',
    evidence:
      'defect 2 (set bug, 6000 to 6002; correction 9); kernel/kprobes.c  disarm_kprobe_ftrace, __disarm_kprobe_ftrace',
    law: 'ftrace/only-what-changes-is-poked',
    kernels: ['6.1', '6.12', '7.2'],
    shows: /^unregister_k(ret)?probe pokes the call site of \w+ not at all /,
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); register_kprobe(kprobe#3, f2, post_handler); unregister_kprobe(kprobe#1); unregister_kprobe(kprobe#2)',
    when: ({ moment: { before } }) =>
      Object.entries(before.probes.kprobeTable).some(
        ([ip, { post }]) => post && before.ftrace.ops.kprobe_ipmodify_ops?.filter.includes(ip) !== true,
      ),
  },
  {
    name: 'direct-ops-has-no-hash-yet',
    sentence:
      'A direct call that an ops of its client made is taken off by its (ip, address) before that interface was ever used: its own ops has no filter hash, and none is looked for.',
    evidence:
      'kernel/trace/ftrace.c of 6.1  unregister_ftrace_direct: hash = direct_ops.func_hash->filter_hash, and hash->count == 1',
    law: 'ftrace/operations-do-not-crash',
    kernels: ['6.1'],
    shows:
      /^unregister_ftrace_direct\(ip\) comes back \/ unregister_ftrace_direct: direct_ops has no filter hash: /,
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1)',
  },
];

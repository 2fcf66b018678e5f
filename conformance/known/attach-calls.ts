import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { isToldOfOthers, wasLost } from './attach-firings.ts';
import {
  functionOf,
  hasFailed,
  hasJoinedAnother,
  hasKeptAKprobe,
  isArmed,
  KPROBE_LEAVES,
  stepsOf,
} from './cause.ts';

const EVERY = ['6.1', '6.12', '7.2'] as const;

/** Breaches of the laws on calls. */
export const KNOWN_ATTACH_CALLS: readonly KnownAttach[] = [
  known({
    name: 'site-of-another-interface-loses-its-entry',
    sentence:
      'unregister_ftrace_direct(ip, addr) removes the entry of a *_multi ops or of a BPF trampoline, whose site still calls it.',
    evidence: 'recorded on 6.1.192 (api61 1, api61 47; correction 12)',
    law: 'ftrace/call-sites-match-records',
    kernels: ['6.1'],
    finding: 'site-is-not-as-recorded',
    when: ({ ip, expected }, { moment: { action, outcome } }) =>
      expected.is === 'missing' &&
      expected.what === 'entry of direct_functions' &&
      action.do === 'unregister_ftrace_direct(ip)' &&
      action.ip === ip &&
      outcome.errno !== 0,
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1)',
  }),
  known({
    name: 'kprobe-memory-is-reused',
    sentence:
      'A kprobe that could not be disarmed, as ftrace is dead or for another reason, stays on the list; its owner reuses the memory, and the next call walks over cleared memory.',
    evidence:
      'recorded on all three (set bug, 6000 to 6002; defect 2); kernel/kprobes.c  __disarm_kprobe_ftrace chooses another ops than was armed',
    law: 'ftrace/traced-calls-return',
    kernels: EVERY,
    finding: 'call-does-not-return',
    when: ({ why }, breach) =>
      why.is === 'reused kprobe' &&
      (hasJoinedAnother(breach) || hasFailed(breach, KPROBE_LEAVES, 'allocation') || hasKeptAKprobe(breach)),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); unregister_kprobe(kprobe#2); unregister_kprobe(kprobe#1); register_kprobe(kprobe#1, f1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'foreign-direct-call-is-unregistered',
    sentence:
      "unregister_ftrace_direct() of a site that another interface owns unregisters direct_ops if it has one site, destroys the site's entry in any case, and returns ENOENT.",
    evidence:
      'kernel/trace/ftrace.c (6.1)  unregister_ftrace_direct: hash->count == 1 is checked before the ip; correction 12 (common 1001, 1047)',
    law: 'ftrace/direct-trampoline-runs-exactly-once',
    kernels: ['6.1'],
    finding: 'direct-call-differs',
    when: ({ observed }, breach) =>
      observed.length === 0 &&
      stepsOf(breach).some(
        ({ action, outcome }) => action.do === 'unregister_ftrace_direct(ip)' && outcome.errno === 'ENOENT',
      ),
    restsOn: ['directApi'],
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(f2, my_tramp1); register_ftrace_direct_multi(direct#1, my_tramp1); unregister_ftrace_direct(f1, my_tramp1); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'return-of-a-call-that-index-0-did-not-follow',
    sentence:
      'The user of function graph with index 0 sees every return that any other user follows: bit 0 of the bitmap also marks tail calls.',
    evidence:
      'recorded on 6.12.117 and 7.2.13 (gon f2; gon f6): a call of f6 shows entry, exit, exit; kernel/trace/fgraph.c  set_bitmap',
    law: 'ftrace/exits-match-accepted-entries',
    kernels: ['6.12', '7.2'],
    except: ['function graph'],
    finding: 'exit-without-entry',
    when: ({ who, kind }, { moment: { after } }) => kind === 'graph exit' && isToldOfOthers(after, who),
    restsOn: ['fgraph'],
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'kprobe-misses-after-a-disarm-by-another-ops',
    sentence:
      'A kprobe with a post_handler that joined one without is disarmed through kprobe_ipmodify_ops: if that ops has one user, it is unregistered while in use.',
    evidence:
      'defect 2 (set bug, 6000 to 6002); kernel/kprobes.c  disarm_kprobe_ftrace, __disarm_kprobe_ftrace: the count drops to 0 before the filter is checked',
    law: 'ftrace/missed-returns-are-counted',
    kernels: EVERY,
    finding: 'misses-differ',
    when: ({ who, observed }, breach) => {
      const ip = functionOf(breach.moment.after, `${who}.kp`);
      return (
        observed.returns === 0 &&
        observed.misses === 0 &&
        ip !== undefined &&
        !isArmed(breach.moment.after, ip) &&
        hasJoinedAnother(breach)
      );
    },
    restsOn: ['kretprobe'],
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f1, post_handler); register_kprobe(kprobe#3, f2, post_handler); register_kretprobe(kretprobe#1, f2, maxactive=1); unregister_kprobe(kprobe#1); unregister_kprobe(kprobe#2); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'unarmed-kprobe-is-not-on-the-list',
    sentence:
      'register_kprobe() returns 0 although the probe could not be armed: it counts as the oldest kprobe, but is not on the list.',
    evidence:
      'recorded on 7.2.13 (38 cases, common 18 among them); kernel/kprobes.c  __register_kprobe drops the errno of arm_kprobe',
    law: 'ftrace/newer-clients-run-first',
    kernels: ['7.2'],
    finding: 'older-client-runs-first',
    when: ({ kind }, breach) =>
      (kind === 'kprobe' || kind === 'kretprobe entry') &&
      breach.moment.promises.clients.some(
        (client) => client.kind === 'kprobe' && wasLost(breach, client.who),
      ),
    restsOn: ['kprobeErrorLost'],
    example:
      'ops#1 = ftrace_ops(); the next allocation in __ftrace_hash_move_and_update_ops fails; register_kprobe(kprobe#1, f1); register_ftrace_function(ops#1); register_kprobe(kprobe#2, f1); task#1 calls f1(0x5100000071000000)',
  }),
];

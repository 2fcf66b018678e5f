import type { Crash } from '../../model/core/crash.ts';
import type { Ip } from '../../model/core/ids.ts';
import type { KernelView } from '../../model/kernel.ts';
import { isAllocated } from '../../model/text/text.ts';
import { fprobeOf } from '../../model/trampoline/release.ts';
import { leads } from '../../properties/ftrace/no-pointer-to-a-retired-image.ts';
import type { KnownAttach, KnownForm } from './attach.ts';
import { known } from './attach.ts';
import type { Led } from './cause.ts';
import { isAbsent, isBelow, isInTable, isPlace, stepsOf } from './cause.ts';
import { leftInFilters } from './designs/global.ts';
import { OF_GLOBAL } from './designs/global-calls.ts';

/** A call that a dead ftrace refused has changed something. The file is long on purpose: one table. */
const OF_A_DEAD_FTRACE: Pick<KnownForm<'refusal-leaves-a-trace'>, 'law' | 'finding'> = {
  law: 'ftrace/failed-calls-have-no-effect',
  finding: 'refusal-leaves-a-trace',
};

/** ftrace dies over a kprobe on f2, where nothing else is attached. */
const DIES = 'the next poke in ftrace_replace_code fails; register_kprobe(kprobe#3, f2)';

/** Calls that a dead ftrace refuses and that leave something behind, and calls of the functions that it left. */
export const KNOWN_OF_DEAD_FTRACE: readonly KnownAttach[] = [
  known({
    ...OF_A_DEAD_FTRACE,
    name: 'graph-user-that-a-dead-ftrace-refuses-is-counted',
    sentence:
      'register_ftrace_graph() returns ENODEV and keeps ftrace_graph_active at 1, and the notifier of suspends: every later user gets EBUSY.',
    evidence:
      'recorded on 6.1.192 (freg f2 2; b+ f2 0 fentry; b+ f2 1 fexit kill ftrace; gon f6 returns 19, then 16); kernel/trace/fgraph.c of 6.1.192  register_ftrace_graph: the errno of ftrace_startup() is returned, and nothing is undone',
    kernels: ['6.1'],
    when: ({ changes }, breach) =>
      isRefusedByTheDead(breach) &&
      breach.moment.action.do === 'register_ftrace_graph' &&
      changes.every(({ place }) =>
        ['active', 'directGops', 'suspendNotifier'].some((field) => isPlace(place, 'fgraph', field)),
      ),
    restsOn: ['fgraph'],
    example: `${DIES}; register_ftrace_graph(gops#1)`,
  }),
  known({
    ...OF_A_DEAD_FTRACE,
    name: 'direct-call-that-a-dead-ftrace-keeps-loses-its-entry',
    sentence:
      'unregister_ftrace_direct() returns ENODEV: the ops stays on ftrace_ops_list, and its entry, its func and, if asked, its filter are gone.',
    evidence:
      'recorded on 6.1.192 (dreg f6 0 0; ftrace dies; dunreg returns 19, dreg then 22); kernel/trace/ftrace.c of all three  unregister_ftrace_direct: reset_direct() whatever unregister_ftrace_function() answers',
    kernels: ['6.1', '6.12', '7.2'],
    when: ({ changes }, breach) => {
      const { action } = breach.moment;
      if (action.do !== 'unregister_ftrace_direct' || !isRefusedByTheDead(breach)) return false;
      return changes.every(
        ({ place }) =>
          isBelow(place, 'ftrace', 'directFunctions') || isBelow(place, 'ftrace', 'ops', action.ops),
      );
    },
    example: `ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); ${DIES}; unregister_ftrace_direct_multi(direct#1, my_tramp1)`,
  }),
  known({
    ...OF_A_DEAD_FTRACE,
    name: 'direct-call-by-address-that-a-dead-ftrace-keeps-loses-its-entry',
    sentence:
      'unregister_ftrace_direct(ip, addr) returns ENODEV: the entry and the descriptor of the trampoline are gone, and the site still calls it.',
    evidence:
      'recorded on 6.1.192 (oreg f6 0 0; ftrace dies; ounreg returns 19, and f6 still calls lab_tramp_a); kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: WARN_ON(ret) after ftrace_set_filter_ip(), and the entry is removed',
    kernels: ['6.1'],
    when: ({ changes }, breach) =>
      isRefusedByTheDead(breach) &&
      breach.moment.action.do === 'unregister_ftrace_direct(ip)' &&
      changes.every(({ place }) =>
        ['directFunctions', 'directFuncs', 'lostEntries'].some((table) => isBelow(place, 'ftrace', table)),
      ),
    restsOn: ['directApi'],
    example: `register_ftrace_direct(f1, my_tramp1); ${DIES}; unregister_ftrace_direct(f1, my_tramp1)`,
  }),
  known({
    ...OF_A_DEAD_FTRACE,
    name: 'kprobe-that-a-dead-ftrace-keeps-enabled-is-not-counted',
    sentence:
      'disable_kprobe() of one of several probes returns ENODEV: the count of the ops has dropped, and the probe stays enabled.',
    evidence:
      'kernel/kprobes.c of 6.1.192  __disarm_kprobe_ftrace: (*cnt)-- before the answer of ftrace_set_filter_ip(); later kernels check kprobe_ftrace_disabled first',
    kernels: ['6.1'],
    when: ({ changes }, breach) =>
      isRefusedByTheDead(breach) &&
      breach.moment.action.do === 'disable_kprobe' &&
      changes.every(({ place }) => isBelow(place, 'probes', 'armed')),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); ops#1 = ftrace_ops(); the next poke in ftrace_replace_code fails; register_ftrace_function(ops#1); disable_kprobe(kprobe#1)',
  }),
  known({
    ...OF_A_DEAD_FTRACE,
    name: 'fprobe-that-a-dead-ftrace-keeps-loses-its-exit-handler',
    sentence:
      'unregister_fprobe() returns ENODEV: the fprobe stays registered, and its rethook has been stopped, so that no return is followed any more.',
    evidence:
      'kernel/trace/fprobe.c of 6.12.117  unregister_fprobe: rethook_stop() before unregister_ftrace_function()',
    kernels: ['6.12'],
    when: ({ changes }, breach) => {
      const { action } = breach.moment;
      if (action.do !== 'unregister_fprobe' || !isRefusedByTheDead(breach)) return false;
      return changes.every(({ place }) => isPlace(place, 'probes', 'rethooks', action.fprobe, 'handler'));
    },
    example: `register_fprobe_ips(fprobe#1, { f1 }, exit_handler); ${DIES}; unregister_fprobe(fprobe#1)`,
  }),
  known({
    ...OF_A_DEAD_FTRACE,
    name: 'refused-link-changes-records-of-a-dead-ftrace',
    sentence:
      'With ftrace dead, a link to many functions is refused for one of them: the records of the others have been counted for it, and are left with flags of their own.',
    evidence: 'as dead-ftrace-accepts-direct-calls',
    kernels: ['7.2'],
    variants: [],
    when: ({ changes }, { moment: { before, action } }) =>
      before.ftrace.disabled &&
      action.do === 'BPF_LINK_CREATE' &&
      changes.every(({ place }) =>
        action.targets.some((fn) => isPlace(place, 'ftrace', 'records', fn, 'flags')),
      ),
    restsOn: ['directApi'],
    example:
      'f1 = function(u64 -> u64); f2 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); prog#2 = BPF_PROG_LOAD(fentry multi); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f2); link#2 = BPF_LINK_CREATE(prog#2, { f1, f2 })',
  }),
  known({
    name: 'kretprobe-that-a-dead-ftrace-keeps-reads-its-freed-pool',
    sentence:
      'A kretprobe of a function with another kprobe could not be disarmed, for ftrace has died over it: it stays in the table, and its pool was freed. Once another pool has the memory, the next call reads that.',
    evidence:
      'kernel/kprobes.c of 6.1.192  unregister_kretprobes: the pool is freed whatever disarming answered, and rp->rh stays',
    law: 'ftrace/traced-calls-return',
    kernels: ['6.1'],
    restsOn: ['kprobesSurviveFtrace'],
    finding: 'call-does-not-return',
    when: ({ why }, { moment: { before } }) =>
      why.is === 'use after free' &&
      why.object.is === 'rethook' &&
      before.ftrace.disabled &&
      isInTable(before, `${why.object.name}.kp`),
    example:
      'register_kprobe(kprobe#1, f1, KPROBE_FLAG_DISABLED); register_kretprobe(kretprobe#1, f1, maxactive=0); the next poke in ftrace_replace_code fails; unregister_kretprobe(kretprobe#1); register_kretprobe(kretprobe#2, f1, maxactive=0); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'site-of-a-dead-ftrace-calls-freed-memory',
    sentence:
      'ftrace dies, or is dead, when a client unregisters: what its site calls is freed, and the next call of the function executes it.',
    evidence: 'as image-is-put-although-its-site-calls-it',
    law: 'ftrace/traced-calls-return',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'call-does-not-return',
    when: ({ why }, breach) =>
      why.is === 'fault' &&
      why.access === 'execute' &&
      why.place.in === 'free page' &&
      leadsToFreedMemory(breach),
    example:
      'ops#1 = ftrace_ops(); register_ftrace_function(ops#1); the next poke in ftrace_replace_code fails; unregister_ftrace_function(ops#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'link-that-a-dead-ftrace-keeps-is-freed-on-the-list',
    sentence:
      'A kprobe.multi link is closed while ftrace is dead: its ops stays on ftrace_ops_list, and the link is freed with it.',
    evidence:
      'shown on 6.12.117, with freed memory overwritten: the ops on the list has func 6b6b6b6b6b6b6b6b; kernel/trace/bpf_trace.c of 6.12.117  bpf_kprobe_multi_link_release: the answer of unregister_fprobe() is ignored',
    law: 'ftrace/traced-calls-return',
    kernels: ['6.12'],
    restsOn: ['fprobe'],
    finding: 'call-does-not-return',
    when: ({ why }, breach) =>
      why.is === 'reused fprobe' &&
      stepsOf(breach).some(
        ({ action, after }) =>
          action.do === 'close(link)' &&
          after.ftrace.disabled &&
          after.ftrace.opsList.includes(`${fprobeOf(action.link)}.ops`),
      ),
    example:
      'prog#1 = BPF_PROG_LOAD(kprobe.multi entry); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); close(link#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'link-that-a-dead-ftrace-keeps-is-made-again',
    sentence:
      'The memory of such a link is taken by the next one: the ops that is still on ftrace_ops_list gets an empty filter.',
    evidence: 'as link-that-a-dead-ftrace-keeps-is-freed-on-the-list',
    law: 'ftrace/empty-filter-does-not-trace-everything',
    kernels: ['6.12'],
    restsOn: ['fprobe'],
    finding: 'filter-became-everything',
    when: ({ ops }, { moment: { before, action } }) =>
      action.do === 'BPF_LINK_CREATE' &&
      ops === `${fprobeOf(action.link)}.ops` &&
      before.ftrace.disabled &&
      before.bpf.links[action.link] === undefined &&
      before.ftrace.opsList.includes(ops),
    example:
      'prog#1 = BPF_PROG_LOAD(kprobe.multi entry); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); close(link#1); link#1 = BPF_LINK_CREATE(prog#1, { f1 })',
  }),
  known({
    ...OF_GLOBAL,
    name: 'global-site-that-stays-finds-no-metadata',
    sentence:
      'The last program of a function is detached, and its site cannot be changed, because ftrace is dead or memory is short: the global trampoline finds no metadata of the function, and follows NULL.',
    evidence:
      '[PATCH bpf-next v2 05/18] bpf: introduce bpf_gtramp_link  __bpf_gtrampoline_unlink_prog: the answer of bpf_gtrampoline_update_all() is dropped; 02/18  bpf_global_caller_run: md->bpf_origin_call after kfunc_md_get_rcu() with no test',
    law: 'ftrace/traced-calls-return',
    finding: 'call-does-not-return',
    when: ({ why }, { moment: { faults } }) => faults.length > 0 && readsNoMetadata(why),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next poke in ftrace_replace_code fails; close(link#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    ...OF_A_DEAD_FTRACE,
    ...OF_GLOBAL,
    name: 'global-reset-of-a-dead-ftrace-leaves-direct-calls',
    sentence:
      'A function is added to direct_functions, and then a dead ftrace refuses the filter: the entry stays.',
    evidence: 'as global-failed-reset-leaves-direct-calls',
    when: ({ changes }, breach) => {
      const { action, before } = breach.moment;
      if (action.do !== 'BPF_LINK_CREATE' || !isRefusedByTheDead(breach)) return false;
      // The rollback finds no program and unregisters the ops: so go entries that an earlier detach has left.
      const removed = leftInFilters(before);
      return changes.every(({ place, observed }) =>
        [...action.targets, ...(isAbsent(observed) ? removed : [])].some((fn) =>
          isPlace(place, 'ftrace', 'directFunctions', fn),
        ),
      );
    },
    example: `prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); ${DIES}; link#2 = BPF_LINK_CREATE(prog#1, { f2 })`,
  }),
];

/** The sites of a kernel that branch to memory that is allocated, or to memory that is not. */
function sitesLeading(k: KernelView, toAllocated: boolean): Ip[] {
  return leads(k).flatMap(([from, page]) =>
    from.is === 'call site' && isAllocated(k, page) === toAllocated ? [from.of] : [],
  );
}

/** A site branches to memory that was freed with ftrace dead, or dying. */
function leadsToFreedMemory(breach: Led): boolean {
  const now = sitesLeading(breach.moment.before, false);
  return stepsOf(breach).some(({ before, after }) => {
    if (!after.ftrace.disabled) return false;
    const had = sitesLeading(before, true);
    return sitesLeading(after, false).some((ip) => had.includes(ip) && now.includes(ip));
  });
}

/** The padding's index, or the hash, gives the global trampoline no metadata, and it reads that. */
function readsNoMetadata(why: Crash): boolean {
  if (why.is === 'function without metadata') return true;
  return (
    why.is === 'fault' &&
    why.access === 'read' &&
    why.at.in === 'named' &&
    why.at.name.startsWith('bpf_global_caller_')
  );
}

/** The call was refused because ftrace was dead before it. */
function isRefusedByTheDead({ moment: { before, outcome } }: Led): boolean {
  return before.ftrace.disabled && outcome.errno === 'ENODEV';
}

import type { EventKind } from '../../model/core/event.ts';
import type { Ip } from '../../model/core/ids.ts';
import { FTRACE_FL_REGS } from '../../model/ftrace/record.ts';
import { nodesOf } from '../../model/ftrace/run/fprobes.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachFindingOf } from '../../properties/finding/attach-finding.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import type { Led } from './cause.ts';
import { hasJoinedAnother, isInTable, isPatched, kprobeOf, namesTwice, stepsOf } from './cause.ts';

const KPROBE_EVENTS: readonly EventKind[] = ['kprobe', 'kprobe post', 'kretprobe', 'kretprobe entry'];

/** A kprobe or kretprobe that should have seen a call and has not. */
export function isKprobeNever({ kind, expected, observed }: AttachFindingOf<'hits-differ'>): boolean {
  return KPROBE_EVENTS.includes(kind) && expected > 0 && observed === 0;
}

/** The name of a kprobe's or kretprobe's entry in the table. */
export function tableName({ who, kind }: Pick<AttachFindingOf<'hits-differ'>, 'who' | 'kind'>): string {
  return kind === 'kprobe' || kind === 'kprobe post' ? who : `${who}.kp`;
}

/**
 * A user of function graph has index 0, and another user follows returns. The index is the user's position in the
 * array, whatever index it remembers.
 */
export function isToldOfOthers({ fgraph }: KernelView, who: string): boolean {
  return fgraph.array[0] === who && fgraph.array.some((name, i) => i > 0 && name !== '');
}

/** Registering a kprobe returned 0, and it is not in the table. */
export function wasLost(breach: Led, probe: string): boolean {
  const last = stepsOf(breach).findLast(
    ({ action, outcome }) => kprobeOf(action)?.probe === probe && 'ip' in action && outcome.errno === 0,
  );
  return last !== undefined && !isInTable(last.after, probe);
}

export const KNOWN_FIRINGS: readonly KnownAttach[] = [
  known({
    name: 'graph-exit-without-entry',
    sentence:
      'The user of function graph with index 0 sees every return that any other user follows: bit 0 of the bitmap also marks tail calls.',
    evidence: 'recorded on 6.12.117 and 7.2.13 (gon f2; gon f6): a call of f6 shows entry, exit, exit',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['6.12', '7.2'],
    except: ['function graph'],
    restsOn: ['fgraph'],
    finding: 'hits-differ',
    when: ({ who, kind, expected, observed }, { moment: { after } }) =>
      kind === 'graph exit' && observed > expected && isToldOfOthers(after, who),
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); task#1 calls f2(0x5100000071000000)',
  }),
  known({
    name: 'kprobe-is-registered-and-dead',
    sentence:
      'register_kprobe() returns 0 although the probe could not be armed; it never fires and is not in the table.',
    evidence:
      'recorded on 7.2.13 (38 cases, common 18 among them); kernel/kprobes.c  __register_kprobe drops the errno of arm_kprobe',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['7.2'],
    restsOn: ['kprobeErrorLost'],
    finding: 'hits-differ',
    when: (finding, breach) => isKprobeNever(finding) && wasLost(breach, tableName(finding)),
    example:
      'the next allocation in __ftrace_hash_move_and_update_ops fails; register_kprobe(kprobe#1, f1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'kprobe-multi-program-runs-once-per-name',
    sentence:
      'A kprobe.multi link that names a function twice has two nodes in fprobe_ip_table: its program runs twice per call. 6.12 runs it once.',
    evidence:
      'recorded on 6.12.117 and 7.2.13 (bm+ f2,f2 0 kpm, krpm and kses); kernel/trace/fprobe.c of 7.2.13  register_fprobe_ips: a node for each address, also for one that it already has',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: ['7.2'],
    restsOn: ['fprobe'],
    finding: 'hits-differ',
    when: ({ fn, kind, expected, observed }, { moment: { after } }) =>
      kind.startsWith('kprobe.multi') &&
      observed > expected &&
      nodesOf(after, fn).some((name, i, nodes) => nodes.indexOf(name) < i),
    example:
      'prog#6 = BPF_PROG_LOAD(kprobe.multi entry); link#6 = BPF_LINK_CREATE(prog#6, { f1, f1 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'call-without-room-counts-a-miss-for-each-name',
    sentence:
      'A kprobe.multi link names a function twice, and the shadow stack has no room for a call of it: its program counts two misses. 6.12 counts one.',
    evidence: 'as kprobe-multi-program-runs-once-per-name',
    law: 'ftrace/misses-are-counted-once',
    kernels: ['7.2'],
    restsOn: ['fprobe'],
    finding: 'counted-misses-differ',
    when: ({ who, expected, observed }, { moment: { after } }) =>
      observed > expected &&
      expected > 0 &&
      Object.values(after.bpf.links).some(
        ({ prog, targets }) => who === `prog#${prog}` && namesTwice(targets),
      ),
    example:
      'register_fprobe_ips(fprobe#1, { f1 }, exit_handler, entry_data_size=120); register_fprobe_ips(fprobe#2, { f1 }, exit_handler, entry_data_size=120); prog#1 = BPF_PROG_LOAD(kprobe.multi return); link#1 = BPF_LINK_CREATE(prog#1, { f1, f1 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'live-patch-then-entry-then-exit',
    sentence:
      'Regenerating an image for a live patch resets the ops of a registered trampoline: its func is NULL when it is called.',
    evidence: 'recorded on 6.1.192 (common 21, common 105): WARN in arch_ftrace_ops_list_func',
    law: 'ftrace/no-ftrace-bug',
    kernels: ['6.1'],
    restsOn: ['bpfEagainResetsOps'],
    finding: 'ftrace-is-dead',
    when: ({ warning }, { moment: { before } }) => {
      if (warning?.is !== 'ops without func') return false;
      const { ops } = warning;
      const target = Object.keys(before.bpf.trampolines).find((name) => `tr(${name}).fops` === ops);
      return target !== undefined && isPatched(before, target);
    },
    example:
      'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1); prog#1 = BPF_PROG_LOAD(fentry, f1); prog#2 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); link#2 = BPF_LINK_CREATE(prog#2); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'ftrace-dies-of-a-record-without-users',
    sentence:
      'A function removed from the filter of a registered SAVE_REGS ops while kernel.ftrace_enabled is 0 keeps REGS: unregistering the last ops finds it and kills ftrace.',
    evidence:
      'kernel/trace/ftrace.c of all three  test_rec_ops_needs_regs, ftrace_check_record, ftrace_shutdown (FTRACE_WARN_ON_ONCE)',
    law: 'ftrace/no-ftrace-bug',
    kernels: ['6.1', '6.12', '7.2'],
    restsOn: ['disabledBySysctl'],
    finding: 'ftrace-is-dead',
    when: (_, breach) =>
      breach.moment.outcome.warnings.some(({ is }) => is === 'flags without ops') &&
      hasARecordThatKeptRegs(breach, breach.moment.before),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); sysctl kernel.ftrace_enabled=0; unregister_kprobe(kprobe#1); sysctl kernel.ftrace_enabled=1; unregister_kprobe(kprobe#2)',
  }),
  known({
    name: 'kretprobe-disarmed-by-another-ops-counts-misses',
    sentence:
      'A kretprobe on a function whose kprobes were armed before one of them got a post_handler is unregistered and stays armed: its pool was stopped and freed, and it counts each call as missed.',
    evidence: 'as kprobe-is-disarmed-by-another-ops',
    law: 'ftrace/misses-are-counted-once',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'counted-misses-differ',
    when: ({ who, expected }, breach) =>
      expected === 0 && isInTable(breach.moment.after, `${who}.kp`) && hasJoinedAnother(breach),
    example:
      'register_kretprobe(kretprobe#1, f1, maxactive=0); register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED); unregister_kretprobe(kretprobe#1); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    name: 'kretprobe-disarmed-by-another-ops-reads-its-freed-pool',
    sentence:
      'A kretprobe on a function whose kprobes were armed before one of them got a post_handler is unregistered and stays armed: each call takes a node from its pool, whose memory another pool has by now.',
    evidence:
      'shown on 6.12.117: with another kretprobe registered since, a call of the function is an oops in rethook_try_get; kernel/kprobes.c of all three  unregister_kretprobes: the pool is freed even if the kprobe was not disarmed, and rp->rh stays',
    law: 'ftrace/traced-calls-return',
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'call-does-not-return',
    when: ({ why }, breach) =>
      why.is === 'use after free' &&
      why.object.is === 'rethook' &&
      isInTable(breach.moment.after, `${why.object.name}.kp`) &&
      hasJoinedAnother(breach),
    example:
      'register_kretprobe(kretprobe#1, f1, maxactive=0); register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED); unregister_kretprobe(kretprobe#1); register_kretprobe(kretprobe#2, f2, maxactive=0); task#1 calls f1(0x5100000071000000)',
  }),
];

/** Whether a record has no user and REGS alone, which its last user left there while tracing was off. */
export function hasARecordThatKeptRegs(breach: Led, { ftrace }: KernelView): boolean {
  return Object.entries(ftrace.records).some(
    ([ip, { count, flags }]) => count === 0 && flags === FTRACE_FL_REGS && keptRegsWhileOff(breach, ip),
  );
}

/** The last user of a function left it while tracing was off, and REGS was not cleared. */
function keptRegsWhileOff(breach: Led, ip: Ip): boolean {
  return stepsOf(breach).some(({ before, after }) => {
    const [was, is] = [before.ftrace.records[ip], after.ftrace.records[ip]];
    if (was === undefined || is === undefined || after.ftrace.enabled) return false;
    return is.count === 0 && (is.flags & FTRACE_FL_REGS) !== 0 && (was.count > 0 || was.flags === 0);
  });
}

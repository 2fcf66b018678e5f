import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import { FTRACE_FL_REGS, FTRACE_FL_REGS_EN } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachFindingOf } from '../../properties/finding/attach-finding.ts';
import type { Previous } from '../../properties/law/sequence-law.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import { hasARecordThatKeptRegs } from './attach-firings.ts';
import type { Led } from './cause.ts';
import { couldNotLeaveTheManager, isBelow, isOfGraph, KPROBE_ARMS } from './cause.ts';

const LAW = 'ftrace/independent-operations-commute';

function hasDirectCall({ ftrace }: KernelView): boolean {
  return Object.keys(ftrace.directFunctions).length > 0;
}

function isOfKprobes(action: Action): boolean {
  return callOf(action).sharesOps === 'of kprobes';
}

/** Before both operations. */
function hadARecordThatKeptRegs(breach: Led): boolean {
  const { previous } = breach.moment;
  return previous !== undefined && hasARecordThatKeptRegs(breach, previous.before);
}

/** Breaches of the law that independent operations commute. */
export const KNOWN_ORDER: readonly KnownAttach[] = [
  known({
    name: 'regs-are-kept-if-another-function-is-left',
    sentence:
      'A function removed from a registered SAVE_REGS ops keeps REGS; if it is the only one, the ops is unregistered, and it does not.',
    evidence:
      'kernel/trace/ftrace.c of all three  test_rec_ops_needs_regs: it checks every ops on the list, including the one that is being removed, whose filter is still the old one',
    law: LAW,
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'state-depends-on-the-order',
    when: ({ place, expected, observed }, { moment: { after } }) => {
      if (isBelow(place, 'text', 'sites'))
        return [expected, observed].every((site) => SLOW_OR_FAST.includes(String(site)));
      if (!isBelow(place, 'ftrace', 'records') || place[3] !== 'flags') return false;
      const kept = after.ftrace.enabled ? FTRACE_FL_REGS | FTRACE_FL_REGS_EN : FTRACE_FL_REGS;
      return (Number(expected) ^ Number(observed)) === kept;
    },
    example:
      'register_ftrace_graph(gops#1); register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); unregister_kprobe(kprobe#1)',
  }),
  known({
    name: 'only-the-first-ipmodify-function-is-negotiated',
    sentence:
      'A kprobe with a post_handler on a function with a direct call is refused if it is the first of its kind, and armed if another one is armed elsewhere.',
    evidence:
      'recorded on all three (common 88; correction 8, F2): register_kprobe is 0 where it would be EBUSY alone; kernel/trace/ftrace.c  register_ftrace_function_nolock, ftrace_set_hash; kernel/kprobes.c  __arm_kprobe_ftrace, which register_aggr_kprobe and enable_kprobe also reach: a disabled probe lends its post_handler to those that join it',
    law: LAW,
    kernels: ['6.1', '6.12', '7.2'],
    finding: ['answers-depend-on-the-order', 'state-depends-on-the-order'],
    when: (finding, { moment: { previous, action, before } }) => {
      if (previous === undefined) return false;
      if (isRefusedBy(finding, previous) || isRefusedBy(finding, { action, before })) return true;
      return (
        isOfNegotiation(finding) &&
        isOfKprobes(previous.action) &&
        isOfKprobes(action) &&
        hasDirectCall(previous.before)
      );
    },
    example:
      'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct_multi(direct#1, my_tramp1); register_kprobe(kprobe#1, f1, post_handler); register_kprobe(kprobe#2, f2, post_handler)',
  }),
  known({
    name: 'record-that-keeps-regs-kills-ftrace-in-one-order',
    sentence:
      'A function that the last of its users left while tracing was off keeps REGS: if the last ops is unregistered before another user comes to that function, ftrace dies, and otherwise it does not.',
    evidence: 'as record-without-users-keeps-regs',
    law: LAW,
    kernels: ['6.1', '6.12', '7.2'],
    finding: 'answers-depend-on-the-order',
    when: ({ expected, observed }, breach) => {
      const answers = [expected, observed].map((answer) => answer.is === 'answer' && answer.errno);
      return answers.includes('ENODEV') && hadARecordThatKeptRegs(breach);
    },
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); sysctl kernel.ftrace_enabled=0; unregister_kprobe(kprobe#1); sysctl kernel.ftrace_enabled=1; ops#1 = ftrace_ops(); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1); unregister_kprobe(kprobe#2)',
  }),
  known({
    name: 'record-that-keeps-regs-kills-ftrace-in-one-order-seen-by-its-site',
    sentence:
      'As in record-that-keeps-regs-kills-ftrace-in-one-order; the kprobe that comes to that function is registered in either order, and armed in one.',
    evidence: 'as record-without-users-keeps-regs and kprobe-is-registered-and-dead',
    law: LAW,
    kernels: ['7.2'],
    finding: 'state-depends-on-the-order',
    when: ({ place }, breach) => isBelow(place, 'text', 'sites') && hadARecordThatKeptRegs(breach),
    example:
      'register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); sysctl kernel.ftrace_enabled=0; unregister_kprobe(kprobe#1); sysctl kernel.ftrace_enabled=1; register_kprobe(kprobe#3, f1, post_handler); unregister_kprobe(kprobe#2)',
  }),
  known({
    name: 'only-user-of-a-manager-without-memory-sees-all-until-another-joins',
    sentence:
      'A user of function graph leaves without memory for the hashes of the others: graph_ops traces what it traced, and the only user that is left sees all of it until another one registers.',
    evidence:
      'as manager-traces-everything-without-memory and graph-user-of-no-function-sees-all-until-another-joins',
    law: LAW,
    kernels: ['7.2'],
    restsOn: ['managerHashes'],
    finding: 'answers-depend-on-the-order',
    when: ({ expected, observed }, breach) =>
      couldNotLeaveTheManager(breach) &&
      [expected, observed].some((answer) => answer.is === 'event' && isOfGraph(answer)),
    example:
      'ftrace_set_filter_ip(gops#1.ops, f1); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); the next allocation in rebuild_hashes fails; unregister_ftrace_graph(gops#2); register_fprobe_ips(fprobe#1, { f1 }, exit_handler); task#1 calls f2(0x5100000071000000)',
  }),
];

type OrderFinding = AttachFindingOf<'answers-depend-on-the-order' | 'state-depends-on-the-order'>;

/** A site that calls ftrace's shared entry code. */
const SLOW_OR_FAST = ['call ftrace_caller', 'call ftrace_regs_caller'];

/**
 * update_ftrace_direct_mod() negotiates for all functions of its ops: it is refused for the one on which a kprobe was
 * armed without having asked.
 */
function isRefusedBy(
  finding: OrderFinding,
  { action, before }: Pick<Previous, 'action' | 'before'>,
): boolean {
  if (finding.is !== 'answers-depend-on-the-order' || finding.action !== 'update_ftrace_direct_mod')
    return false;
  const { expected, observed } = finding;
  const answers = [expected, observed].map((outcome) => outcome.is === 'answer' && outcome.errno);
  return (
    answers.includes('EBUSY') &&
    answers.includes(0) &&
    action.do === 'register_kprobe' &&
    action.ip in before.ftrace.directFunctions
  );
}

/** The answer to a kprobe's client, and what it finds: the site, the trampoline, the records. */
function isOfNegotiation(finding: OrderFinding): boolean {
  if (finding.is === 'state-depends-on-the-order')
    return (
      ['text', 'ftrace'].includes(finding.place[0] ?? '') || isBelow(finding.place, 'bpf', 'trampolines')
    );
  const { action, expected } = finding;
  return (
    KPROBE_ARMS.some((arms) => arms === action) &&
    expected.is === 'answer' &&
    (expected.errno === 0 || expected.errno === 'EBUSY' || expected.errno === 'EAGAIN')
  );
}

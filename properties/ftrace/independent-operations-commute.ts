import type { CallRun } from '../../model/call/call-frame.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import { item } from '../../model/core/present.ts';
import { settle } from '../../model/core/schedule.ts';
import type { KernelView } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { functionNamed } from '../../model/trampoline/traced-function.ts';
import type { ToldAnswer } from '../finding/answer-finding.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import { isSame } from '../finding/same.ts';
import type { AttachLaw, Moment, Previous } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { copyKernel } from '../observed/copy-kernel.ts';
import { changedAt, firstDifference } from '../observed/differences.ts';
import { mayHaveCaused } from '../observed/fault-effects.ts';
import { areIndependent, footprintOf, shareOps } from '../observed/footprint.ts';
import { callOf } from '../observed/sample-call.ts';
import { settledState } from '../observed/settled-state.ts';
import { isHistory, unorderedState } from '../observed/unordered-state.ts';

/** S12, second half: swaps two neighbours of a sequence, on a copy of the kernel before both. */
export const independentOperationsCommute: AttachLaw = {
  name: 'ftrace/independent-operations-commute',
  sentence:
    'Two operations on different functions and objects give the same answers and the same state in either order, up to names, addresses and list positions; later calls behave alike.',
  source:
    'kernel/trace/ftrace.c  ftrace_startup, ftrace_shutdown; kernel/bpf/trampoline.c  bpf_trampoline_update',
  witness: 'two consecutive operations on disjoint functions and objects',
  asksPrevious: true,
  judge: (moment) => {
    const { previous } = moment;
    const touched = previous === undefined ? [] : functionsOf(moment, previous);
    if (previous === undefined || touched.length === 0) return 'not applicable';
    const found = differenceIn(moment, previous, touched);
    if (found === undefined) return 'held';
    return isOfBackgroundWork(moment, previous, touched) ? 'not applicable' : found;
  },
};

/** The first difference that the other order makes. */
function differenceIn(
  moment: Moment,
  previous: Previous,
  touched: readonly string[],
): AttachFinding | undefined {
  const { action, outcome, program } = moment;
  const k = copyKernel(previous.before);
  const swapped = apply(k, action, program);
  const swappedFirst = apply(k, previous.action, program);
  return (
    answerDiffers(action.do, outcome, swapped) ??
    answerDiffers(previous.action.do, previous.outcome, swappedFirst) ??
    kernelDiffers(moment, k, touched)
  );
}

/**
 * Whether the order makes no difference once the background work of earlier operations is done: an operation that waits
 * for a grace period ends that work too, and the other one may find what it frees or not.
 */
function isOfBackgroundWork(moment: Moment, previous: Previous, touched: readonly string[]): boolean {
  const { action, program } = moment;
  if (previous.before.deferred.length === 0) return false;
  const before = copyKernel(previous.before);
  settle(program, before);
  const after = copyKernel(before);
  const first = apply(after, previous.action, program);
  const outcome = apply(after, action, program);
  const settled = { ...previous, before, outcome: first };
  return differenceIn({ ...moment, after, outcome }, settled, touched) === undefined;
}

/**
 * The functions of two independent operations; undefined when they depend on each other, or one has no function. A
 * call counts only as the second of two: as the first it would be all that is ever tried. A failure that is ordered
 * hits whichever comes first; and an ops that lacks a trampoline gets one if the order of its users has it registered
 * again.
 */
function functionsOf(moment: Moment, { before, promised, action, outcome }: Previous): string[] {
  if (action.do === 'call' || !isAlive(moment) || before.fault !== null) return [];
  if (mayHaveCaused('opsLacksTrampoline', moment.faults) && shareOps(action, moment.action)) return [];
  if (before.ftrace.disabled || outcome.died !== undefined || isNone(outcome) || isNone(moment.outcome))
    return [];
  const first = footprintOf(promised, before, action);
  const second = footprintOf(promised, before, moment.action);
  if (first === undefined || second === undefined || !areIndependent(first, second)) return [];
  if (first.functions!.length === 0 || second.functions!.length === 0) return [];
  return [...new Set([...first.functions!, ...second.functions!])];
}

/** Actions that no client performs are not tried. */
function isNone({ errno }: Outcome): boolean {
  return errno === 'EBADF';
}

/** The answer of an operation, and the events of a call. */
function answerOf({ errno, died, call }: Outcome): ToldAnswer[] {
  if (call === undefined) return [died === undefined ? { is: 'answer', errno } : { is: 'died', died }];
  const events = call.events.map(({ kind, who, fn, args = [], ret = '' }): ToldAnswer => {
    return { is: 'event', kind, who, fn, args, ret };
  });
  return [...events, died === undefined ? endOf(call) : { is: 'died', died }];
}

function endOf({ fault, gone, rax }: CallRun): ToldAnswer {
  if (fault !== undefined) return { is: 'fault', fault };
  return gone ? { is: 'gone' } : { is: 'returned', rax };
}

/** The first difference in the answer to an action, or to a call that follows (null). */
function answerDiffers(
  action: Action['do'] | null,
  outcome: Outcome,
  other: Outcome,
): AttachFinding | undefined {
  const expected = answerOf(outcome);
  const observed = answerOf(other);
  for (let i = 0; i < Math.max(expected.length, observed.length); i++) {
    const pair = { expected: expected[i] ?? NO_MORE, observed: observed[i] ?? NO_MORE };
    if (!isSame(pair.expected, pair.observed)) return { is: 'answers-depend-on-the-order', action, ...pair };
  }
  return undefined;
}

const NO_MORE: ToldAnswer = { is: 'no more' };

/** Kernels that differ only in names and places are compared by calling their functions too. */
function kernelDiffers(
  moment: Moment,
  k: KernelView,
  functions: readonly string[],
): AttachFinding | undefined {
  const state = settledState(moment.after, moment.program);
  const other = settledState(k, moment.program);
  if (firstDifference(state, other, isHistory) === undefined) return undefined;
  const difference = firstDifference(unorderedState(state), unorderedState(other), isHistory);
  if (difference === undefined)
    return shareOps(moment.previous!.action, moment.action) ? undefined : callsDiffer(moment, k, functions);
  return { is: 'state-depends-on-the-order', ...changedAt(difference) };
}

function callsDiffer(
  { after, program }: Moment,
  k: KernelView,
  functions: readonly string[],
): AttachFinding | undefined {
  const expected = callsOf(after, program, functions);
  const observed = callsOf(k, program, functions);
  return expected
    .map((outcome, i) => answerDiffers(null, outcome, item(observed, i)))
    .find((finding) => finding !== undefined);
}

function callsOf(k: KernelView, program: KernelProgram, functions: readonly string[]): Outcome[] {
  const copy = copyKernel(k);
  const traced = functions.map((name) => functionNamed(k.functions, name));
  return traced.flatMap((fn) => (fn === undefined ? [] : [apply(copy, callOf(fn, 1), program)]));
}

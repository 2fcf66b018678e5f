import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import { crashText } from '../../model/core/crash-words.ts';
import type { Kernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { functionNamed } from '../../model/trampoline/traced-function.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw, Moment, Previous } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { copyKernel } from '../observed/copy-kernel.ts';
import { firstDifference, printValue } from '../observed/differences.ts';
import { areIndependent, footprintOf, shareOps } from '../observed/footprint.ts';
import { callOf } from '../observed/sample-call.ts';
import { settledState } from '../observed/settled-state.ts';
import { isHistory, unorderedState } from '../observed/unordered-state.ts';

/** S12, second half: of two neighbours in a sequence, on a copy of the kernel as it was before both. */
export const independentOperationsCommute: AttachLaw = {
  name: 'ftrace/independent-operations-commute',
  sentence:
    'Two operations on different functions and different objects give the same answers and the same kernel in both orders, up to names, addresses and places in a list; calls that follow show the same.',
  source:
    'kernel/trace/ftrace.c  ftrace_startup, ftrace_shutdown; kernel/bpf/trampoline.c  bpf_trampoline_update',
  witness: 'two neighbouring operations had nothing to do with each other',
  judge: (moment) => {
    const { previous, action, outcome, program } = moment;
    const touched = previous === undefined ? [] : functionsOf(moment, previous);
    if (previous === undefined || touched.length === 0) return 'no say';
    const k = copyKernel(previous.before);
    const swapped = apply(k, action, program);
    const swappedFirst = apply(k, previous.action, program);
    return (
      answerDiffers(action.do, outcome, swapped) ??
      answerDiffers(previous.action.do, previous.outcome, swappedFirst) ??
      kernelDiffers(moment, k, touched) ??
      'held'
    );
  },
};

/**
 * The functions of two operations that have nothing to do with each other; none when they have, or one has none. A call
 * counts as the second of two only: with it as the first, nothing else would be tried. After an ordered failure an ops
 * may be without what it could not get, and the next who comes or goes changes that.
 */
function functionsOf(moment: Moment, { before, promised, action, outcome }: Previous): string[] {
  if (action.do === 'call' || !isAlive(moment) || moment.injected) return [];
  if (before.ftrace.disabled || outcome.died !== undefined || isNone(outcome) || isNone(moment.outcome))
    return [];
  const first = footprintOf(promised, before, action);
  const second = footprintOf(promised, before, moment.action);
  if (first === undefined || second === undefined || !areIndependent(first, second)) return [];
  if (first.functions!.length === 0 || second.functions!.length === 0) return [];
  return [...new Set([...first.functions!, ...second.functions!])];
}

/** What no client does was not tried. */
function isNone({ errno }: Outcome): boolean {
  return errno === 'EBADF';
}

/** What an operation answers, and what is seen of a call. */
function answerOf({ errno, died, call }: Outcome): string[] {
  if (call === undefined) return [died === undefined ? String(errno) : crashText(died)];
  const events = call.events.map(({ kind, who, fn, args = [], ret = '' }) =>
    [who, `(${kind})`, fn, ...args, ret].join(' ').trim(),
  );
  const crash = died ?? call.fault;
  return [...events, crash === undefined ? (call.gone ? 'gone' : call.rax) : crashText(crash)];
}

function answerDiffers(what: string, one: Outcome, other: Outcome): AttachFinding | undefined {
  const expected = answerOf(one);
  const observed = answerOf(other);
  const length = Math.max(expected.length, observed.length);
  const at = Array.from({ length }, (_, i) => i).find((i) => expected[i] !== observed[i]);
  if (at === undefined) return undefined;
  return {
    expected: `${what} gives ${expected[at] ?? 'no more'}, in both orders`,
    observed: `in the other it gives ${observed[at] ?? 'no more'}`,
  };
}

/** If kernels differ in names and places alone, their functions are called as well. */
function kernelDiffers(moment: Moment, k: Kernel, functions: readonly string[]): AttachFinding | undefined {
  const one = settledState(moment.after, moment.program);
  const other = settledState(k, moment.program);
  if (firstDifference(one, other, isHistory) === undefined) return undefined;
  const difference = firstDifference(unorderedState(one), unorderedState(other), isHistory);
  if (difference === undefined)
    return shareOps(moment.previous!.action, moment.action) ? undefined : callsDiffer(moment, k, functions);
  return {
    expected: `${difference.path} is ${printValue(difference.before)}, in both orders`,
    observed: `in the other it is ${printValue(difference.after)}`,
  };
}

function callsDiffer(
  { after, program }: Moment,
  k: Kernel,
  functions: readonly string[],
): AttachFinding | undefined {
  const expected = callsOf(after, program, functions);
  const observed = callsOf(k, program, functions);
  return expected
    .map((outcome, i) => answerDiffers('a call that follows', outcome, observed[i]!))
    .find((finding) => finding !== undefined);
}

function callsOf(k: Kernel, program: KernelProgram, functions: readonly string[]): Outcome[] {
  const copy = copyKernel(k);
  const traced = functions.map((name) => functionNamed(k.functions, name));
  return traced.flatMap((fn) => (fn === undefined ? [] : [apply(copy, callOf(fn, 1), program)]));
}

import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import type { Current, TaskView, TaskWorld } from './current.ts';

/*
 * Protection against recursion, include/linux/trace_recursion.h: a bit of `current->trace_recursion` for each context,
 * in two groups.
 *
 * ```text
 *   TRACE_LIST_START     the walk of ftrace_ops_list, ftrace_ops_assist_func()
 *   TRACE_FTRACE_START   kprobe_ftrace_handler(), fprobe_handler(), ftrace_graph_func() and other handlers
 *
 *   a call in a context whose bit is clear     takes the bit
 *   whose bit is set                           takes the bit of transition: an interrupt may have come before
 *                                              preempt_count says so, and one nested call passes
 *   both set                                   is not traced, and nothing counts it but the handlers of fprobes
 * ```
 */

export const TRACE_FTRACE_START = 0;
export const TRACE_LIST_START = 5;

/** `TRACE_CTX_TRANSITION`: after the bits of the four contexts. */
const TRANSITION = 4;

/** The locals of a routine that guards itself. */
export interface Guarded {
  /** The bit that it has taken. */
  bit: number;
}

/** The bit that trace_test_and_set_recursion() takes; −1: none is free. */
function freeBit({ context, recursion }: Readonly<Current>, start: number): number {
  const own = start + context;
  if ((recursion & (1 << own)) === 0) return own;
  const transition = start + TRANSITION;
  return (recursion & (1 << transition)) === 0 ? transition : -1;
}

/** Whether trace_test_and_set_recursion() would answer −1. */
export function isRecursive({ current }: TaskView, start: number): boolean {
  return freeBit(current, start) < 0;
}

/** trace_test_and_set_recursion() where a bit is free: from here on the task keeps its CPU. */
export function takeBit({ current }: TaskWorld, start: number): number {
  const bit = freeBit(current, start);
  current.recursion |= 1 << bit;
  current.preemptOff++;
  return bit;
}

/** trace_clear_recursion(). */
export function clearBit({ current }: TaskWorld, bit: number): void {
  current.preemptOff--;
  current.recursion &= ~(1 << bit);
}

/**
 * The parts between trace_test_and_set_recursion() and trace_clear_recursion(); `skipped` if it answers −1. The bit is the
 * task's own: setting it and disabling preemption are one step to all others, also to interrupts, which clear what they
 * take.
 */
export function guarded<S extends TaskWorld, L extends Guarded>(
  { step, when }: RoutineWords<S, L>,
  start: number,
  parts: readonly Part[],
  skipped: readonly Part[] = [],
): Part[] {
  return [
    when(
      'it is not recursive',
      (k) => !isRecursive(k as TaskView, start),
      [
        step('preempt_disable', (k, locals) => {
          locals.bit = takeBit(k, start);
        }),
        ...parts,
        step('preempt_enable', (k, { bit }) => clearBit(k, bit)),
      ],
      skipped,
    ),
  ];
}

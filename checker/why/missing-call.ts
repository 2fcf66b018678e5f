import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Action } from '../../model/client/all.ts';
import { filterOn } from '../../model/client/ftrace-set-filter-ip.ts';
import { apply } from '../../model/step.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import type { RefusedStep } from './refusal.ts';
import { isAccepted } from './undo.ts';

/**
 * One call that a client has forgotten: with it before, the refused one answers 0. Candidates are a function for the
 * filter of its ops, and a repetition of each call of the sequence, the last first; undefined when none of them
 * helps.
 */
export function missingCall(
  { before, action }: RefusedStep,
  history: readonly Action[],
  program: KernelProgram,
): Action | undefined {
  return [...filters(action, Object.keys(before.text.functions)), ...history.toReversed()].find((item) => {
    const k = copyKernel(before);
    const { errno, died } = apply(k, item, program);
    return errno === 0 && died === undefined && isAccepted(k, action, program);
  });
}

/** The ops of a call, tracing each function. */
function filters(action: Action, functions: readonly string[]): Action[] {
  const ops = 'ops' in action ? action.ops : 'gops' in action ? `${action.gops}.ops` : undefined;
  if (ops === undefined) return [];
  return functions.map((ip) => filterOn(ops, ip));
}

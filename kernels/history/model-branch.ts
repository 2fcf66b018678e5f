import type { Paced } from '../../conformance/sequences/paces.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import type { Action } from '../../model/client/all.ts';
import { crashText } from '../../model/core/crash-words.ts';
import type { Kernel } from '../../model/kernel.ts';
import { apply, passOnce } from '../../model/step.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { pointsToFreed } from './dead-ftrace.ts';

/** The model of a kernel at one point of a history, at one of the paces of its grace periods. */
export class ModelBranch implements Paced<ModelBranch> {
  constructor(readonly k: Kernel) {}

  copy(): ModelBranch {
    return new ModelBranch(copyKernel(this.k));
  }

  do(action: Action): Outcome {
    return apply(this.k, action);
  }
}

/** Why a call of the model does not return as a call should; undefined: it does. */
export function brokenCall({ call, died }: Outcome): string | undefined {
  if (died !== undefined) return `it crashes: ${crashText(died)}`;
  if (call === undefined) return 'it is not called';
  if (call.fault !== undefined) return crashText(call.fault);
  return call.stackBalanced ? undefined : 'the stack is not balanced';
}

/**
 * Whether a kernel may be lost in an action: where the model crashes as well, at once or after what waits in the background has
 * freed what is still called; or where the kernel points to what is freed already.
 */
export function mayBeLost(branch: ModelBranch, action: Action): boolean {
  const later = branch.copy();
  while (passOnce(later.k));
  return pointsToFreed(branch.k) || [branch.copy(), later].some((kernel) => isBroken(kernel.do(action)));
}

/** An action that is no call has none, and is broken only if the model dies of it. */
function isBroken(outcome: Outcome): boolean {
  return outcome.died !== undefined || (outcome.call !== undefined && brokenCall(outcome) !== undefined);
}

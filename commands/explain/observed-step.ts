import { observeCall } from '../../checker/explain/observe-call.ts';
import type { Step } from '../../checker/sequences/played.ts';
import { codePlace } from '../../model/call/code-place.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { SITE_BYTES } from '../../model/text/text.ts';
import { fromHex } from '../../model/x86/word.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import type { ToldCall } from './call-text.ts';
import { programKind, returnText } from './call-words.ts';

/**
 * The call of a step again, instruction by instruction, in the state in which it was made; undefined: the step makes
 * none.
 */
export function observedStep(
  { before, action, outcome }: Step,
  program: KernelProgram,
): ToldCall | undefined {
  if (action.do !== 'call' || outcome.call === undefined) return undefined;
  const k = copyKernel(before);
  const { moments, plans } = observeCall(k, action, program);
  return {
    moments,
    plans,
    siteEnd: k.text.siteOffset + SITE_BYTES,
    kindOf: (who) => programKind(k, who),
    placeOf: (address) => codePlace(k, fromHex(address)),
    end: endText(outcome),
  };
}

function endText({ call, died }: Outcome): string {
  if (died !== undefined) return `the kernel crashes: ${crashText(died)}`;
  if (call!.fault !== undefined) return `✗ the call does not return: ${crashText(call!.fault)}`;
  return returnText(call!);
}

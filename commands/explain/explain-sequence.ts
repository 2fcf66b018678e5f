import { observeCall } from '../../checker/explain/observe-call.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { Step } from '../../checker/sequences/played.ts';
import { actionLines, functionLines, stateLines } from '../../counterexamples/sequences/attach-report.ts';
import { codePlace } from '../../model/call/code-place.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Outcome } from '../../model/call/outcome.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { SITE_BYTES } from '../../model/text/text.ts';
import { fromHex } from '../../model/x86/word.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import type { ToldCall } from './call-text.ts';
import { callLines } from './call-text.ts';
import { programKind, returnText } from './call-words.ts';
import type { Explained } from './explained.ts';
import type { PlayedCalls } from './played-sequence.ts';
import { playSequence } from './played-sequence.ts';

/**
 * A sequence of client calls in detail, in each kernel that it is for: the changes of each, and each function call
 * transfer by transfer.
 */
export function explainSequence(text: string): readonly Explained[] {
  return playSequence(text).map(explainIn);
}

function explainIn({ case: c, program, planted, steps, diverged }: PlayedCalls): Explained {
  const head = [`kernel ${c.profile}`, ...(planted === undefined ? [] : [`planted bug: ${planted}`])];
  return {
    kernel: c.profile,
    head: [head.join(' · '), '', ...functionLines(c)],
    steps: steps.map((step, i) => ({ number: i + 1, lines: stepLines(c, step, i, program) })),
    diverged,
  };
}

function stepLines(c: AttachCase, step: Step, i: number, program: KernelProgram): string[] {
  const lines = [...actionLines(c, step, i), ...stateLines(step)];
  return step.action.do === 'call' ? [...lines, '', ...observed(step, program)] : lines;
}

function observed(step: Step, program: KernelProgram): string[] {
  const told = observedStep(step, program);
  return told === undefined ? [] : callLines(told);
}

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

import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { Step } from '../../checker/sequences/played.ts';
import { actionLines, functionLines, stateLines } from '../../counterexamples/sequences/attach-report.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { callLines } from './call-text.ts';
import type { Explained } from './explained.ts';
import { observedStep } from './observed-step.ts';
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

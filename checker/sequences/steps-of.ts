import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { bootKernel } from '../../model/kernel.ts';
import { KERNEL_PROGRAM, step } from '../../model/step.ts';
import type { AttachCase } from './attach-case.ts';
import type { Step } from './played.ts';

/** Every step of a sequence up to its end or its first breach, for a report. */
export function stepsOf(
  c: AttachCase,
  program: KernelProgram = KERNEL_PROGRAM,
  upTo = c.actions.length,
): Step[] {
  const { profile, functions, tracepoints = [] } = c;
  let before = bootKernel({ profile, boot: 'default', functions, tracepoints });
  return c.actions.slice(0, upTo).map((action) => {
    const { kernel: after, outcome } = step(before, action, program);
    const done = { before, action, outcome, after };
    before = after;
    return done;
  });
}

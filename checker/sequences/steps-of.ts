import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { KernelView } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import { snapshotOf } from '../../properties/observed/snapshot.ts';
import type { AttachCase } from './attach-case.ts';
import type { Step } from './played.ts';

/** Every step of a sequence up to its end or its first breach, for a report. */
export function stepsOf(
  c: AttachCase,
  program: KernelProgram = KERNEL_PROGRAM,
  upTo = c.actions.length,
): Step[] {
  const { profile, functions, tracepoints = [] } = c;
  const k = bootKernel({ profile, boot: 'default', functions, tracepoints });
  let before: KernelView = snapshotOf(k);
  return c.actions.slice(0, upTo).map((action) => {
    const outcome = apply(k, action, program);
    const after = snapshotOf(k, before);
    const done = { before, action, outcome, after };
    before = after;
    return done;
  });
}

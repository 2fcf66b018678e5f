import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Edit } from '../../model/core/link.ts';
import { KERNEL_PROGRAM, linkKernel } from '../../model/step.ts';

/** The kernel's routines, with a planted bug if one is given. */
export function plantedKernel(
  planted: { readonly edits?: readonly Edit[] | undefined } | undefined,
): KernelProgram {
  return planted?.edits === undefined ? KERNEL_PROGRAM : linkKernel(planted.edits);
}

import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Edit } from '../../model/core/link.ts';
import { KERNEL_PROGRAM, linkKernel } from '../../model/step.ts';

/** The kernel's routines, with what is planted in them if there is anything. */
export function plantedKernel(
  planted: { readonly edits?: readonly Edit[] | undefined } | undefined,
): KernelProgram {
  return planted?.edits === undefined ? KERNEL_PROGRAM : linkKernel(planted.edits);
}

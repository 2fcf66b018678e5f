import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Edit } from '../../model/core/link.ts';
import { KERNEL_PROGRAM, linkKernel } from '../../model/step.ts';

/** The last one that was linked: a trace asks for the same one several times. */
let last:
  | { readonly edits: readonly Edit[]; readonly of: KernelProgram; readonly program: KernelProgram }
  | undefined;

/** The kernel's routines, with a planted bug if one is given. */
export function plantedKernel(
  planted: { readonly edits?: readonly Edit[] | undefined } | undefined,
): KernelProgram {
  const edits = planted?.edits;
  if (edits === undefined) return KERNEL_PROGRAM;
  if (last?.edits !== edits || last.of !== KERNEL_PROGRAM)
    last = { edits, of: KERNEL_PROGRAM, program: linkKernel(edits) };
  return last.program;
}

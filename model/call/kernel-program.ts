import type { LinkedRoutines } from '../core/link.ts';
import type { Kernel } from '../kernel.ts';
import type { InKernel } from './run-code.ts';

/** The kernel's routines, and the functions in C that text calls: some of them are routines. */
export interface KernelProgram extends LinkedRoutines, InKernel<Kernel> {}

import { breakpointsAreKnown } from './task/breakpoints-are-known.ts';
import { noCallToAFreedProgram } from './task/no-call-to-a-freed-program.ts';
import { noFetchFromFreedMemory } from './task/no-fetch-from-freed-memory.ts';
import { noTornInstruction } from './task/no-torn-instruction.ts';
import { probesSeeOldOrNew } from './task/probes-see-old-or-new.ts';
import type { TaskLaw } from './task/task-law.ts';

/** The laws of interleavings, in the order in which they are asked. */
export const TASK_LAWS: readonly TaskLaw[] = [
  noTornInstruction,
  breakpointsAreKnown,
  noFetchFromFreedMemory,
  noCallToAFreedProgram,
  probesSeeOldOrNew,
];

import type { TaskLaw } from './task/task-law.ts';
import { argumentsReachTheContext } from './tracepoint/arguments-reach-the-context.ts';
import { narrowArgumentsAreZeroExtended } from './tracepoint/narrow-arguments-are-zero-extended.ts';
import { probesGetTheirOwnData } from './tracepoint/probes-get-their-own-data.ts';
import type { StubLaw } from './tracepoint/stub-law.ts';
import { whatAHitReadsStays } from './tracepoint/what-a-hit-reads-stays.ts';

/** The laws that the stub of a raw tracepoint is held against. */
export const STUB_LAWS: readonly StubLaw[] = [argumentsReachTheContext, narrowArgumentsAreZeroExtended];

/** The laws that interleavings of hits with operations on tracepoints are held against. */
export const TRACEPOINT_TASK_LAWS: readonly TaskLaw[] = [probesGetTheirOwnData, whatAHitReadsStays];

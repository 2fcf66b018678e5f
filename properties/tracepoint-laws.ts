import type { TaskLaw } from './law/interleaving-law.ts';
import type { AttachLaw } from './law/sequence-law.ts';
import type { StubLaw } from './law/stub-law.ts';
import { argumentsReachTheContext } from './tracepoint/arguments-reach-the-context.ts';
import { hitsReachEachProbe } from './tracepoint/hits-reach-each-probe.ts';
import { narrowArgumentsAreZeroExtended } from './tracepoint/narrow-arguments-are-zero-extended.ts';
import { probesGetTheirOwnData } from './tracepoint/probes-get-their-own-data.ts';
import { probesSeeWhatWasPassed } from './tracepoint/probes-see-what-was-passed.ts';
import { whatAHitReadsStays } from './tracepoint/what-a-hit-reads-stays.ts';

/** The laws that the stub of a raw tracepoint is held against. */
export const STUB_LAWS: readonly StubLaw[] = [argumentsReachTheContext, narrowArgumentsAreZeroExtended];

/** The laws that sequences of calls in kernels with tracepoints are held against. */
export const HIT_LAWS: readonly AttachLaw[] = [hitsReachEachProbe, probesSeeWhatWasPassed];

/** The laws that interleavings of hits with operations on tracepoints are held against. */
export const TRACEPOINT_TASK_LAWS: readonly TaskLaw[] = [probesGetTheirOwnData, whatAHitReadsStays];

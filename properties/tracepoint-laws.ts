import type { TaskLaw } from './law/interleaving-law.ts';
import type { AttachLaw } from './law/sequence-law.ts';
import type { StubLaw } from './law/stub-law.ts';
import { argumentsReachTheContext } from './tracepoint/arguments-reach-the-context.ts';
import { hitsCallEachProbeOnce } from './tracepoint/hits-call-each-probe-once.ts';
import { hitsReadNoFreedMemory } from './tracepoint/hits-read-no-freed-memory.ts';
import { narrowArgumentsAreZeroExtended } from './tracepoint/narrow-arguments-are-zero-extended.ts';
import { probesGetTheArgumentsOfTheHit } from './tracepoint/probes-get-the-arguments-of-the-hit.ts';
import { probesGetTheirOwnData } from './tracepoint/probes-get-their-own-data.ts';

/** The laws on the stub of a raw tracepoint. */
export const STUB_LAWS: readonly StubLaw[] = [argumentsReachTheContext, narrowArgumentsAreZeroExtended];

/** The laws on sequences of calls in kernels with tracepoints. */
export const HIT_LAWS: readonly AttachLaw[] = [hitsCallEachProbeOnce, probesGetTheArgumentsOfTheHit];

/** The laws on interleavings of hits with operations on tracepoints. */
export const TRACEPOINT_TASK_LAWS: readonly TaskLaw[] = [probesGetTheirOwnData, hitsReadNoFreedMemory];

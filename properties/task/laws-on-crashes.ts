import type { TaskLaw } from '../law/interleaving-law.ts';
import { hitsReadNoFreedMemory } from '../tracepoint/hits-read-no-freed-memory.ts';
import { moduleTextStaysWhileInUse } from './module-text-stays-while-in-use.ts';
import { noCallToAFreedProgram } from './no-call-to-a-freed-program.ts';
import { noFetchFromFreedMemory } from './no-fetch-from-freed-memory.ts';
import { noHandlerAfterUnregister } from './no-handler-after-unregister.ts';
import { noLookupInAFreedTable } from './no-lookup-in-a-freed-table.ts';
import { noOverwriteOfRunningCode } from './no-overwrite-of-running-code.ts';
import { noTornInstruction } from './no-torn-instruction.ts';
import { noUnhandledBreakpoint } from './no-unhandled-breakpoint.ts';
import { noUseAfterFree } from './no-use-after-free.ts';

/** The laws that each exclude some crashes. */
export const LAWS_ON_CRASHES: readonly TaskLaw[] = [
  noTornInstruction,
  noUnhandledBreakpoint,
  noFetchFromFreedMemory,
  noOverwriteOfRunningCode,
  noCallToAFreedProgram,
  noHandlerAfterUnregister,
  noLookupInAFreedTable,
  moduleTextStaysWhileInUse,
  noUseAfterFree,
];

/** Those, and the one on hits of tracepoints. */
const ALL_ON_CRASHES: readonly TaskLaw[] = [hitsReadNoFreedMemory, ...LAWS_ON_CRASHES];

/** Whether a law excludes the crash that an event is. */
export function isExcludedByALaw(judged: Parameters<TaskLaw['judge']>[0]): boolean {
  return (
    judged.happening.is === 'crash' && ALL_ON_CRASHES.some((law) => typeof law.judge(judged) !== 'string')
  );
}

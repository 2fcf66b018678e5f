import type { Unregister } from '../model/core/register.ts';
import { registering } from '../model/core/register.ts';
import type { TaskLaw } from './law/interleaving-law.ts';
import { breakpointsAreKnown } from './task/breakpoints-are-known.ts';
import { callersFindTheirRegisters } from './task/callers-find-their-registers.ts';
import { callersGetAnOwedValue } from './task/callers-get-an-owed-value.ts';
import { enteredImagesAreLeft } from './task/entered-images-are-left.ts';
import { everybodyFinishes } from './task/everybody-finishes.ts';
import { moduleTextStaysWhileItIsUsed } from './task/module-text-stays-while-it-is-used.ts';
import { newestDirectCallsWaitForNoTasks } from './task/newest-direct-calls-wait-for-no-tasks.ts';
import { noCallToAFreedProgram } from './task/no-call-to-a-freed-program.ts';
import { noCodeIsWrittenOver } from './task/no-code-is-written-over.ts';
import { noFetchFromFreedMemory } from './task/no-fetch-from-freed-memory.ts';
import { noTornInstruction } from './task/no-torn-instruction.ts';
import { nobodyUsesWhatClientsFreed } from './task/nobody-uses-what-clients-freed.ts';
import { nobodyWaitsInACircle } from './task/nobody-waits-in-a-circle.ts';
import { objectsAreInitialisedOnce } from './task/objects-are-initialised-once.ts';
import { oneBodyOfAProgramPerProcessor } from './task/one-body-of-a-program-per-processor.ts';
import { probesSeeOldOrNew } from './task/probes-see-old-or-new.ts';
import { programsAreLeft } from './task/programs-are-left.ts';
import { refusedForNowIsNotForEver } from './task/refused-for-now-is-not-for-ever.ts';
import { retiredImagesAreFreed } from './task/retired-images-are-freed.ts';
import { SETTLED_LAWS } from './task/settled-laws.ts';
import { tablesStayWhileTheyAreRead } from './task/tables-stay-while-they-are-read.ts';
import { wellBehavedClientsRaiseNoWarning } from './task/well-behaved-clients-raise-no-warning.ts';
import { whoUsesAnObjectHoldsIt } from './task/who-uses-an-object-holds-it.ts';
import { TRACEPOINT_TASK_LAWS } from './tracepoint-laws.ts';

const laws: TaskLaw[] = [
  noTornInstruction,
  breakpointsAreKnown,
  noFetchFromFreedMemory,
  noCodeIsWrittenOver,
  noCallToAFreedProgram,
  nobodyUsesWhatClientsFreed,
  tablesStayWhileTheyAreRead,
  moduleTextStaysWhileItIsUsed,
  whoUsesAnObjectHoldsIt,
  probesSeeOldOrNew,
  callersFindTheirRegisters,
  callersGetAnOwedValue,
  oneBodyOfAProgramPerProcessor,
  programsAreLeft,
  objectsAreInitialisedOnce,
  enteredImagesAreLeft,
  retiredImagesAreFreed,
  wellBehavedClientsRaiseNoWarning,
  newestDirectCallsWaitForNoTasks,
  ...SETTLED_LAWS,
  nobodyWaitsInACircle,
  everybodyFinishes,
  refusedForNowIsNotForEver,
];

const allLaws: TaskLaw[] = [...TRACEPOINT_TASK_LAWS, ...laws];

/**
 * The laws that interleavings of tasks are held against: first what crashes, then what calls and operations show, then
 * what is left, then who waits for whom.
 */
export const TASK_LAWS: readonly TaskLaw[] = laws;

/** Those, and first of all those of tracepoints, which only scenarios with one put to the test: they say better what crashes. */
export const ALL_TASK_LAWS: readonly TaskLaw[] = allLaws;

const toAll = registering(allLaws, 'law');
const toLaws = registering(laws, 'law');

export function listTaskLaw(law: TaskLaw): Unregister {
  const unlist = [toAll(law), toLaws(law)];
  return () => {
    for (const back of unlist) back();
  };
}

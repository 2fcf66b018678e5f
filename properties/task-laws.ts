import type { Unregister } from '../model/core/register.ts';
import { registerAll, registering } from '../model/core/register.ts';
import type { TaskLaw } from './law/interleaving-law.ts';
import { callerRegistersArePreserved } from './task/caller-registers-are-preserved.ts';
import { missesAreCountedOnceInTasks } from './task/each-missed-call-is-counted-once.ts';
import { eachStepHoldsItsLock } from './task/each-step-holds-its-lock.ts';
import { eagainIsTemporary } from './task/eagain-is-temporary.ts';
import { everythingTerminates } from './task/everything-terminates.ts';
import { hashUpdatesDoNotWaitForRcuTasks } from './task/hash-updates-do-not-wait-for-rcu-tasks.ts';
import { imageReferencesAreReturned } from './task/image-references-are-returned.ts';
import { LAWS_ON_CRASHES } from './task/laws-on-crashes.ts';
import { noDeadlock } from './task/no-deadlock.ts';
import { noDoubleInitialisation } from './task/no-double-initialisation.ts';
import { noLeakedImage } from './task/no-leaked-image.ts';
import { noRecursionOnOneCpu } from './task/no-recursion-on-one-cpu.ts';
import { noWarnAndNoOops } from './task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from './task/probes-see-old-or-new.ts';
import { programActiveCountsReturnToZero } from './task/program-active-counts-return-to-zero.ts';
import { returnValueIsOldOrNew } from './task/return-value-is-old-or-new.ts';
import { SETTLED_LAWS } from './task/settled-laws.ts';
import { TRACEPOINT_TASK_LAWS } from './tracepoint-laws.ts';

const laws: TaskLaw[] = [
  ...LAWS_ON_CRASHES,
  probesSeeOldOrNew,
  callerRegistersArePreserved,
  returnValueIsOldOrNew,
  missesAreCountedOnceInTasks,
  noRecursionOnOneCpu,
  programActiveCountsReturnToZero,
  noDoubleInitialisation,
  imageReferencesAreReturned,
  noLeakedImage,
  noWarnAndNoOops,
  eachStepHoldsItsLock,
  hashUpdatesDoNotWaitForRcuTasks,
  ...SETTLED_LAWS,
  noDeadlock,
  everythingTerminates,
  eagainIsTemporary,
];

const allLaws: TaskLaw[] = [...TRACEPOINT_TASK_LAWS, ...laws];

/**
 * The laws on interleavings of tasks: first crashes, then what calls and operations show, then what is left, then
 * waits.
 */
export const TASK_LAWS: readonly TaskLaw[] = laws;

/**
 * Those, preceded by the laws on tracepoints, which only scenarios with a tracepoint exercise: they describe a crash
 * there better.
 */
export const ALL_TASK_LAWS: readonly TaskLaw[] = allLaws;

const toAll = registering(allLaws, 'law');
const toLaws = registering(laws, 'law');

export function listTaskLaw(law: TaskLaw): Unregister {
  return registerAll([() => toAll(law), () => toLaws(law)]);
}

import type { Crash } from '../../model/core/crash.ts';
import { crashLaw } from '../observed/crash-law.ts';

/** C1, where memory is reused instead of freed: the images of generation A. */
export const noOverwriteOfRunningCode = crashLaw({
  name: 'task/no-overwrite-of-running-code',
  sentence: 'Code that a task returns to is never overwritten, and the task accesses only allocated memory.',
  source: 'kernel/bpf/trampoline.c bpf_trampoline_update, bpf_image_alloc',
  witness: 'a call that overlaps an operation',
  unmet: 'code is not written over',
  isBreach: isOfGoingOn,
  isPremise: (happening) => happening.is === 'call over' && happening.during.length > 0,
});

/** A fault of a fetched instruction, an endless call, or bytes that are no instruction of an image. */
function isOfGoingOn(crash: Crash): boolean {
  if (crash.is === 'fault') return crash.access !== 'execute' && REFUSED.has(crash.why);
  return crash.is === 'bad address' || crash.is === 'endless' || crash.is === 'written over';
}

const REFUSED: ReadonlySet<string> = new Set(['unmapped', 'not readable', 'not writable']);

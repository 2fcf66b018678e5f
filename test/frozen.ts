import type { KernelView } from '../model/kernel.ts';
import type { TaskLaw } from '../properties/law/interleaving-law.ts';
import type { AttachLaw, Moment } from '../properties/law/sequence-law.ts';
import { copyKernel } from '../properties/observed/copy-kernel.ts';

/*
 * Laws that are given kernels which cannot change: who only looks gets along with them, who writes throws. Types say the
 * same, but not of an object that was handed on as one that may be changed.
 */

/** Freezes a value at every depth. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

/** A copy that stays as the kernel is now. */
export function frozen(k: KernelView): KernelView {
  return deepFreeze(copyKernel(k));
}

/** One frozen state for all laws; the kernel before an action is a copy already. */
const MOMENTS = new WeakMap<Moment, Moment>();

function frozenMoment(moment: Moment): Moment {
  const known = MOMENTS.get(moment);
  if (known !== undefined) return known;
  const made = { ...moment, before: deepFreeze(moment.before), after: frozen(moment.after) };
  MOMENTS.set(moment, made);
  return made;
}

export function onFrozenMoments(law: AttachLaw): AttachLaw {
  return { ...law, judge: (moment) => law.judge(frozenMoment(moment)) };
}

export function onFrozenKernels(law: TaskLaw): TaskLaw {
  return { ...law, judge: (moment) => law.judge({ ...moment, kernel: frozen(moment.kernel) }) };
}

import type { Action } from '../../model/client/all.ts';
import type { Promises } from '../../model/contract/promises.ts';
import { searchedCall } from './calls/all.ts';

/** In how many cases of ten an action is run although it is not sensible. */
export function rashness(action: Action): number {
  return searchedCall(action).rashness ?? 1;
}

/**
 * Whether a sensible client would do this now. A search mostly draws sensible actions, and sometimes others: refusals
 * are part of the check, but a sequence of refusals gets nowhere.
 */
export function isLikely(p: Promises, action: Action): boolean {
  return searchedCall(action).isLikely(p, action);
}

/** Whether the model has what the kernel does with it now. */
export function isModelled(p: Promises, action: Action): boolean {
  return searchedCall(action).isModelled?.(p, action) ?? true;
}

/** An action as its objects need it, where others that it was drawn for would need it otherwise. */
export function fitted(p: Promises, action: Action): Action {
  return searchedCall(action).fitted?.(p, action) ?? action;
}

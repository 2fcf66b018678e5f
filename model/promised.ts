import type { Outcome } from './call/outcome.ts';
import type { Action } from './client/all.ts';
import { callOf } from './client/all.ts';
import type { Promises } from './contract/promises.ts';

/**
 * The promises after an action and its answer. An errno promises nothing, with one exception: a client that
 * closes or unregisters by a call without an answer is done with it, whatever the kernel could do.
 */
export function promised(p: Promises, action: Action, { errno }: Outcome): Promises {
  const call = callOf(action);
  return errno === 0 || call.isDoneAnyway === true ? call.promised(p, action) : p;
}

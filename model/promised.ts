import type { Outcome } from './call/outcome.ts';
import type { Action } from './client/all.ts';
import { callOf } from './client/all.ts';
import type { ClientCall } from './client/client-call.ts';
import type { Promises } from './contract/promises.ts';
import type { Errno } from './core/errno.ts';

/**
 * The promises after an action and its answer. An errno promises nothing, with one exception: a client that
 * closes or unregisters by a call without an answer is done with it, whatever the kernel could do.
 */
export function promised(p: Promises, action: Action, { errno }: Outcome): Promises {
  const call = callOf(action);
  return errno === 0 || isDone(call.isDoneAnyway, errno) ? call.promised(p, action) : p;
}

/** Whether a call has its effect although it answers this errno. */
export function isDone(anyway: ClientCall<Action>['isDoneAnyway'], errno: Errno): boolean {
  return anyway === true || anyway?.includes(errno) === true;
}

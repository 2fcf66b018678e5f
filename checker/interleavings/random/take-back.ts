import type { Action } from '../../../model/client/all.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import { detachOf } from '../../../properties/observed/detach.ts';
import { searchedCall } from '../../sequences/calls/all.ts';

/** The inverse action for one of the attached objects; undefined when there is none. */
export function takenBack({ clients }: Promises, which: number): Action | undefined {
  const client = clients[which % Math.max(clients.length, 1)];
  return client === undefined ? undefined : detachOf(client, false);
}

/** Frees the memory of the object that a client detached last, or its program; undefined when there is none. */
export function gaveBack(setup: readonly Action[], script: readonly Action[]): Action | undefined {
  const last = script.at(-1);
  return last === undefined ? undefined : searchedCall(last).givesBack?.(last, [...setup, ...script]);
}

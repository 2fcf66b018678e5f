import type { Action } from '../../../model/client/all.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import { detachOf } from '../../../properties/observed/detach.ts';
import { searchedCall } from '../../sequences/calls/all.ts';

/** The action that takes back one of the things that are attached; undefined when nothing is. */
export function takenBack({ clients }: Promises, which: number): Action | undefined {
  const client = clients[which % Math.max(clients.length, 1)];
  return client === undefined ? undefined : detachOf(client, false);
}

/** Gives back the memory of what a client took back last, or its program; undefined when there is nothing like that. */
export function gaveBack(setup: readonly Action[], script: readonly Action[]): Action | undefined {
  const last = script.at(-1);
  return last === undefined ? undefined : searchedCall(last).givesBack?.(last, [...setup, ...script]);
}

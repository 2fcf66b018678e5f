import type { Action } from '../../../model/client/all.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import { detachOf, removalsOf } from '../../../properties/observed/detach.ts';
import { searchedCall } from '../../sequences/calls/all.ts';

/** The inverse action for one of the attached objects; undefined when there is none. */
export function takenBack(promises: Promises, which: number): Action | undefined {
  const back = [...promises.clients.map((client) => detachOf(client, false)), ...removalsOf(promises)];
  return back[which % Math.max(back.length, 1)];
}

/** Frees the memory of the object that a client detached last, or its program; undefined when there is none. */
export function gaveBack(setup: readonly Action[], script: readonly Action[]): Action | undefined {
  const last = script.at(-1);
  return last === undefined ? undefined : searchedCall(last).givesBack?.(last, [...setup, ...script]);
}

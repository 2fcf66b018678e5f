import type { Action } from '../../../model/client/all.ts';
import { callOf } from '../../../model/client/all.ts';
import { item } from '../../../model/core/present.ts';
import { searchedCall } from '../calls/all.ts';

/** The life of one object: the actions that create, use and destroy it, by their places in a sequence. */
export interface Life {
  /** `kprobe#1`, `prog#2` with its links, `direct f1`, or an injected failure. */
  readonly object: string;
  readonly places: readonly number[];
  /** The place at which it is attached, or the first of all; that at which it is detached, if it is. */
  readonly attach: number;
  readonly detach: number | undefined;
}

/** The lives of a sequence in the order of their beginnings. Calls and grace periods belong to no object. */
export function livesOf(actions: readonly Action[]): Life[] {
  const places = new Map<string, number[]>();
  actions.forEach((action, i) => {
    const object = searchedCall(action).lifeOf(action, actions, i);
    if (object !== undefined) places.set(object, [...(places.get(object) ?? []), i]);
  });
  return [...places].map(([object, own]) => ({
    object,
    places: own,
    attach: own.find((i) => callOf(item(actions, i)).role === 'attaches') ?? item(own, 0),
    detach: own.find((i) => callOf(item(actions, i)).role === 'detaches'),
  }));
}

/** How an attached object is detached again; undefined when the action attaches none. */
export function detachOf(attach: Action): Action | undefined {
  return callOf(attach).detach?.(attach);
}

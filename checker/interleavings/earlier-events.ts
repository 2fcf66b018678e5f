import type { Advance } from '../../model/call/caller.ts';
import type { CallInProgress } from '../../model/call/caller-kept.ts';
import type { CallEvent } from '../../model/core/event.ts';

/**
 * The events that a call has recorded before a segment of it: whether the segment reads any of them. Their number it may
 * always read.
 */
export class EarlierEvents {
  areRead = false;
  /** The call, whose events note that they are read. */
  readonly call: CallInProgress;

  constructor(call: CallInProgress) {
    const note = () => {
      this.areRead = true;
    };
    const handler = noting(note);
    this.call = { ...call, events: call.events.map((event) => new Proxy(event, handler)) };
  }

  /** What came of the segment, without these events. */
  cutFrom(went: Advance): Advance {
    const { length } = this.call.events;
    if ('caller' in went)
      return { ...went, caller: { ...went.caller, events: went.caller.events.slice(length) } };
    if ('over' in went) return { ...went, over: { ...went.over, events: went.over.events.slice(length) } };
    return went;
  }
}

/** Forwards every operation to the object, and notes it. */
function noting(note: () => void): ProxyHandler<CallEvent> {
  return {
    get(event, key) {
      note();
      return Reflect.get(event, key);
    },
    has(event, key) {
      note();
      return Reflect.has(event, key);
    },
    ownKeys(event) {
      note();
      return Reflect.ownKeys(event);
    },
    getOwnPropertyDescriptor(event, key) {
      note();
      return Reflect.getOwnPropertyDescriptor(event, key);
    },
  };
}

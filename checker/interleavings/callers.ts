import type { Caller } from '../../model/call/caller.ts';
import type { CallInProgress } from '../../model/call/caller-kept.ts';
import type { Misses } from '../../model/call/thread.ts';
import { addMisses } from '../../properties/observed/misses.ts';
import type { CallerPart } from './parts.ts';
import { Table } from './table.ts';
import { requireSame } from './worlds.ts';

/** What a caller has recorded: no step depends on that, but for how many events there are. */
type Recorded = Pick<Caller, 'events' | 'missed' | 'interrupted' | 'by' | 'came' | 'since'>;

/** What a segment of a call has added to that. */
export interface Added {
  readonly call: CallInProgress;
  readonly missed: ReadonlyMap<string, Misses>;
}

/**
 * Callers by number: equal ones have the same. A caller is a call, with the number of its events, and what was recorded.
 * Both have a number, and most segments leave the second as it is, so that nothing of it is spelled again.
 */
export class Callers {
  readonly values: CallerPart[] = [];
  /** By the number of the call, and by that of what was recorded. */
  private readonly numbers: Map<number, number>[] = [];
  private readonly known = new WeakMap<Caller, number>();
  private none: number | undefined;
  private readonly calls = new Table<unknown>();
  private readonly recorded = new Table<unknown>();
  private readonly interrupted = new Table<Caller | null>();
  /** For each caller the number of its call, and that of what it has recorded. */
  private readonly callOf: number[] = [];
  private readonly recordedBy: number[] = [];
  /** The calls after segments: each is of one segment, with the same number of events before it for every caller. */
  private readonly after = new WeakMap<CallInProgress, number>();

  get size(): number {
    return this.values.length;
  }

  get(number: number): CallerPart {
    return this.values[number]!;
  }

  /** The number of a caller, which must not be changed any more. */
  numberOf(caller: CallerPart): number {
    if (caller === null) return (this.none ??= this.values.push(null) - 1);
    const known = this.known.get(caller);
    if (known !== undefined) return known;
    const call = this.calls.numberOf(callWith(callIn(caller), caller.events.length));
    return this.number(call, this.numberOfRecorded(caller), () => caller);
  }

  /** The number of a caller's call: callers with one number take the same steps, unless these read events. */
  callIn(caller: number): number {
    return this.callOf[caller]!;
  }

  /** The number of a caller after a segment of its call. */
  afterSegment(number: number, { call, missed }: Added): number {
    const caller = this.values[number]!;
    const events = call.events.length === 0 ? caller.events : [...caller.events, ...call.events];
    const counted = addMisses(caller.missed, missed);
    const isAsBefore = events === caller.events && counted === caller.missed;
    const recorded = isAsBefore
      ? this.recordedBy[number]!
      : this.numberOfRecorded({ ...caller, events, missed: counted });
    let own = this.after.get(call);
    if (own === undefined) this.after.set(call, (own = this.calls.numberOf(callWith(call, events.length))));
    return this.number(own, recorded, () => ({ ...caller, ...call, events, missed: counted }));
  }

  /** Gives callers their numbers in a list; none may have another one yet. */
  restore(values: readonly CallerPart[]): void {
    values.forEach((value, number) => {
      requireSame(this.numberOf(value), number);
    });
  }

  private number(call: number, recorded: number, make: () => Caller): number {
    const numbers = (this.numbers[call] ??= new Map());
    const known = numbers.get(recorded);
    if (known !== undefined) return known;
    const caller = make();
    const number = this.values.push(caller) - 1;
    numbers.set(recorded, number);
    this.known.set(caller, number);
    this.callOf[number] = call;
    this.recordedBy[number] = recorded;
    return number;
  }

  private numberOfRecorded({ events, missed, interrupted, by, came, since }: Recorded): number {
    const within = this.interrupted.numberOf(interrupted);
    return this.recorded.numberOf([events, missed, within, by, came, since]);
  }
}

/** A caller without what it has recorded, apart from events. */
export function callIn({ missed, interrupted, by, came, since, ...call }: Caller): CallInProgress {
  return call;
}

/** A call by which callers have equal numbers: it has this number of events, whichever they are. */
function callWith(call: CallInProgress, events: number): unknown {
  return { ...call, events };
}

import type { CallRun } from '../../model/call/call-frame.ts';
import type { Caller, CallRunner } from '../../model/call/caller.ts';
import type { CallInProgress } from '../../model/call/caller-kept.ts';
import { addMisses } from '../../properties/observed/misses.ts';
import type { CallSteps, Stretch } from './calls.ts';
import type { Applied } from './effects.ts';
import { Effects } from './effects.ts';
import type { SpaceTables } from './space-tables.ts';
import { Table } from './table.ts';
import { Watched } from './watched.ts';

/** A segment of a call, and what comes of it for each caller in that call, by the caller's number. */
export interface Going {
  readonly stretch: Stretch;
  readonly gone: Map<number, Gone>;
}

/** A caller after a segment. */
export interface Gone {
  /** Its number: when the call is over, that of the interrupted one, or of none. */
  readonly number: number;
  readonly over?: EndedCall;
}

export interface EndedCall {
  readonly run: CallRun;
  readonly missed: Caller['missed'];
}

/**
 * The segments that a caller on a CPU can run in a world, one for each instruction that the CPU may fetch. They are
 * looked up by what they read of the world, each time: in half of all look-ups the pair of a call and a world is a new one.
 *
 * Callers differ as well in what they have recorded: events, misses, interrupts. No segment depends on that, except on
 * how many events there are: the types of `CallRunner.advance()` say so, and of events `EarlierEvents`. So callers that
 * are alike but for that share their segments, and each adds what it has recorded.
 */
export class Goings {
  /** By call and CPU, and by choice. */
  private readonly steps: Effects<Going>[][] = [];
  private readonly noCall: number;
  /** The calls of callers, by number, and for each caller that of its call. */
  private readonly calls = new Table<unknown>();
  private readonly callOf: number[] = [];
  /** Calls of which a segment reads events, after all. */
  private readonly reading = new Set<number>();

  constructor(
    private readonly tables: SpaceTables,
    private readonly runner: CallRunner,
    private readonly callSteps: CallSteps,
  ) {
    this.noCall = tables.callers.numberOf(null);
  }

  /** For a caller and a world by their numbers; never empty. */
  in(world: number, caller: number, cpu: number): readonly Applied<Going>[] {
    const call = (this.callOf[caller] ??= this.numberOfCall(this.tables.callers.get(caller)!));
    const steps = (this.steps[call * this.tables.layout.cpus + cpu] ??= []);
    const first = this.going(world, caller, cpu, steps, 0);
    const goings = [first];
    for (let choice = 1; choice < first.result.stretch.choices; choice++)
      goings.push(this.going(world, caller, cpu, steps, choice));
    if (!goings.some(readsEvents) || !this.isShared(call)) return goings;
    this.separate(call);
    return this.in(world, caller, cpu);
  }

  /** What a segment that was found for a caller makes of it. */
  after({ stretch, gone }: Going, caller: number): Gone {
    let after = gone.get(caller);
    if (after === undefined) {
      after = this.gone(stretch, this.tables.callers.get(caller)!);
      gone.set(caller, after);
    }
    return after;
  }

  /** Callers with one number run the same segments. */
  private numberOfCall(caller: Caller): number {
    const call = callIn(caller);
    const shared = this.calls.numberOf({ ...call, events: call.events.length });
    return this.reading.has(shared) ? this.calls.numberOf(call) : shared;
  }

  private isShared(call: number): boolean {
    return typeof (this.calls.get(call) as { readonly events: unknown }).events === 'number';
  }

  /** From now on only callers with the same events run the same segments of a call. */
  private separate(call: number): void {
    this.reading.add(call);
    this.callOf.forEach((own, caller) => {
      if (own === call) delete this.callOf[caller];
    });
  }

  private going(
    world: number,
    caller: number,
    cpu: number,
    steps: Effects<Going>[],
    choice: number,
  ): Applied<Going> {
    const { tables } = this;
    const effects = (steps[choice] ??= new Effects());
    const known = effects.known(tables, world);
    if (known !== undefined) return known;
    const parted = new Watched(tables, tables.worlds.get(world));
    const call = callIn(tables.callers.get(caller)!);
    const { result, ...effect } = this.callSteps.goOn(parted, call, cpu, choice);
    return effects.add(tables, world, { ...effect, result: { stretch: result, gone: new Map() } });
  }

  /** The fields keep their order: callers are equal when their spellings are. */
  private gone(stretch: Stretch, caller: Caller): Gone {
    const { callers } = this.tables;
    const { events, missed, interrupted, came } = caller;
    if (stretch.is === 'crash') return { number: this.noCall };
    const counted = stretch.missed.size === 0 ? missed : addMisses(missed, stretch.missed);
    if (stretch.is === 'on') {
      const { call } = stretch;
      const all = [...events, ...call.events];
      return { number: callers.numberOf({ ...caller, ...call, events: all, missed: counted }) };
    }
    const run = { ...stretch.run, events: [...events, ...stretch.run.events] };
    const number =
      interrupted === null
        ? this.noCall
        : callers.numberOf(this.runner.resume(stretch.thread, interrupted, came));
    return { number, over: { run, missed: counted } };
  }
}

function readsEvents({ result }: Applied<Going>): boolean {
  return result.stretch.readsEvents;
}

/** A caller without what it has recorded, apart from events. */
function callIn({ missed, interrupted, by, came, since, ...call }: Caller): CallInProgress {
  return call;
}

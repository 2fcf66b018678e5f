import type { Caller, CallRunner } from '../../model/call/caller.ts';
import type { CallSteps, Stretch } from './calls.ts';
import type { Applied, Effect } from './effects.ts';
import { Effects } from './effects.ts';
import type { SpaceTables } from './space-tables.ts';
import { Watched } from './watched.ts';

/** The result of a segment of a call. */
export interface Gone {
  readonly stretch: Stretch;
  /** The number of the caller after it: when the call is over, that of the interrupted one, or of none. */
  readonly number: number;
}

/**
 * The segments that a caller on a CPU can run in a world, one for each instruction that the CPU may fetch. They are
 * looked up by numbers alone: a search asks for each pair of a caller and a world in many states.
 */
export class Goings {
  private readonly steps: Effects<Gone>[][] = [];
  /** By caller and CPU, and by world. */
  private readonly known: Map<number, readonly Applied<Gone>[]>[] = [];
  private readonly noCall: number;

  constructor(
    private readonly tables: SpaceTables,
    private readonly runner: CallRunner,
    private readonly calls: CallSteps,
  ) {
    this.noCall = tables.callers.numberOf(null);
  }

  /** For a caller and a world by their numbers; never empty. */
  in(world: number, caller: number, cpu: number): readonly Applied<Gone>[] {
    const key = caller * this.tables.layout.cpus + cpu;
    const known = (this.known[key] ??= new Map());
    let goings = known.get(world);
    if (goings === undefined) {
      goings = this.workOut(world, this.tables.callers.get(caller)!, cpu, (this.steps[key] ??= []));
      known.set(world, goings);
    }
    return goings;
  }

  private workOut(world: number, caller: Caller, cpu: number, steps: Effects<Gone>[]): Applied<Gone>[] {
    const { tables } = this;
    const going = (choice: number) =>
      (steps[choice] ??= new Effects()).inOnce(tables, world, (parted) =>
        this.gone(caller, this.calls.goOn(new Watched(tables, parted), caller, cpu, choice)),
      );
    const first = going(0);
    const all = [first];
    for (let choice = 1; choice < first.result.stretch.choices; choice++) all.push(going(choice));
    return all;
  }

  private gone({ interrupted, came }: Caller, { reads, writes, result }: Effect<Stretch>): Effect<Gone> {
    const { callers } = this.tables;
    let number = this.noCall;
    if (result.is === 'on') number = callers.numberOf(result.caller);
    else if (result.is === 'over' && interrupted !== null)
      number = callers.numberOf(this.runner.resume(result.thread, interrupted, came));
    return { reads, writes, result: { stretch: result, number } };
  }
}

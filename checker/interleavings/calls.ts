import type { CallRun } from '../../model/call/call-frame.ts';
import type { Advance, Caller, CallRunner } from '../../model/call/caller.ts';
import type { CallInProgress } from '../../model/call/caller-kept.ts';
import type { Stand } from '../../model/call/stand.ts';
import type { Active, Misses, Thread } from '../../model/call/thread.ts';
import { giveActive, takeActive } from '../../model/call/thread.ts';
import type { Crash } from '../../model/core/crash.ts';
import { item, present } from '../../model/core/present.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Kernel, KernelView } from '../../model/kernel.ts';
import type { Fetch, View } from '../../model/text/view.ts';
import { fetches, INT3 } from '../../model/text/view.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { addMisses, missesBetween } from '../../properties/observed/misses.ts';
import { EarlierEvents } from './earlier-events.ts';
import type { Effect } from './effects.ts';
import { ImpossibleSetup } from './impossible-setup.ts';
import type { OperationSteps } from './operations.ts';
import type { Work } from './parts.ts';
import type { Watched, WatchedStage } from './watched.ts';
import type { PartName, WorldParts } from './world-parts.ts';

/**
 * The result of a segment of a call: of the call's events and misses those that the segment has added. `readsEvents`: it
 * depends on the events before it.
 */
export type Stretch = Fetched &
  (
    | { readonly is: 'crash'; readonly crash: Crash }
    | ({ readonly is: 'over'; readonly run: CallRun; readonly thread: Thread } & Missed)
    | ({ readonly is: 'on'; readonly call: CallInProgress } & Missed)
  );

interface Missed {
  readonly missed: ReadonlyMap<string, Misses>;
}

/** Whether it began with an instruction that was being changed, and with an int3. */
export interface Fetched {
  /** How many instructions the CPU could fetch there: this was one of them. */
  readonly choices: number;
  readonly changing: boolean;
  readonly int3: boolean;
  /** Background work that it has started. */
  readonly spawned: readonly Work[];
  readonly warnings: readonly Warning[];
  readonly readsEvents: boolean;
}

/** A segment before it is run: what the CPU fetches, and whether it calls a function in C. */
interface Segment {
  readonly cpu: number;
  readonly fetch: Fetch | undefined;
  readonly callsC: boolean;
}

/** A segment while it is being run. */
interface Run {
  went: Advance | undefined;
  readsEvents: boolean;
  warnings: readonly Warning[];
}

/** The parts of a kernel with the counters that `missesBetween()` compares. */
const COUNTERS: readonly PartName[] = [
  'probes.kprobes',
  'probes.kretprobes',
  'probes.fprobes',
  'bpf.progs',
  'fgraph.overrun',
];

/** The execution of calls, from point to point. */
export class CallSteps {
  /** The part after those of the kernel: for each CPU, which programs run on it. */
  private readonly activePart: number;
  /** The parts with counters of misses. */
  private readonly counterParts: readonly number[];
  private readonly overrunPart: number;
  private readonly gopsPart: number;

  constructor(
    private readonly runner: CallRunner,
    private readonly operations: OperationSteps,
    private readonly layout: WorldParts,
  ) {
    this.activePart = layout.count;
    this.gopsPart = layout.numberOf('fgraph.gops');
    this.overrunPart = layout.numberOf('fgraph.overrun');
    this.counterParts = COUNTERS.map((name) => layout.numberOf(name));
  }

  /** Before its call site: a caller there is equivalent to one that has not begun. */
  inFrontOfSite(kernel: KernelView, call: Caller['request']): Caller {
    const k = copyKernel(kernel);
    let caller = this.runner.begin(k, call);
    while (this.runner.standOf(k, caller).at !== 'place') {
      const went = this.runner.advance(k, caller, undefined);
      if (!('caller' in went)) throw new Error('a call is over before it has begun');
      caller = went.caller;
    }
    return caller;
  }

  /** A call that has reached a place, by its name, with no other actor running. Changes the kernel. */
  broughtTo(k: Kernel, call: Caller['request'], place: string): Caller {
    const before = copyKernel(k);
    let caller = this.runner.begin(k, call);
    while (this.runner.placeOf(k, caller) !== place) {
      const went = this.runner.advance(
        k,
        caller,
        this.fetches(k, caller, 0, this.runner.standOf(k, caller))?.[0],
      );
      if (!('caller' in went)) throw new ImpossibleSetup(`a call of ${call.fn} does not come to ${place}`);
      caller = went.caller;
    }
    return { ...caller, missed: addMisses({}, missesBetween(before, k)) };
  }

  /** What a CPU may fetch at a caller's place; undefined: it fetches nothing that may change. */
  private fetches(
    k: KernelView,
    { trapped }: CallInProgress,
    cpu: number,
    stand: Stand,
  ): Fetch[] | undefined {
    // In the handler of int3 the place has been fetched.
    if (trapped) return undefined;
    return stand.at === 'place' ? fetches(k, item(k.text.views, cpu), stand.place) : undefined;
  }

  /** Runs a call on a CPU to its next point, with one of the instructions that it may fetch. */
  goOn(watched: Watched, call: CallInProgress, cpu: number, choice: number): Effect<Stretch> {
    const before = watched.start;
    const { fetchable, callsC } = watched.look((k) => {
      const stand = this.runner.standOf(k, call);
      return { fetchable: this.fetches(k, call, cpu, stand), callsC: stand.at === 'C function' };
    });
    const fetch = fetchable?.[choice];
    if (callsC) watched.noteRead(this.activePart);
    const { parts, rest } = this.run(watched, call, { cpu, fetch, callsC });
    const { warnings, readsEvents } = rest;
    const went = present(rest.went, 'end of the segment');
    const { clean, spawned } = this.operations.takeDeferred(watched, parts);
    const fetched = {
      choices: fetchable?.length ?? 1,
      changing: fetch?.changing ?? false,
      int3: fetch?.bytes === INT3,
      spawned,
      warnings,
      readsEvents,
    };
    if ('crash' in went) return watched.effect(before, { is: 'crash', crash: went.crash, ...fetched });
    const missed = this.missedIn(watched, before, parts);
    if ('over' in went)
      return watched.effect(clean, { is: 'over', run: went.over, thread: went.thread, missed, ...fetched });
    return watched.effect(clean, { is: 'on', call: went.caller, missed, ...fetched });
  }

  private run(watched: Watched, call: CallInProgress, { cpu, fetch, callsC }: Segment): WatchedStage<Run> {
    const stage = { parts: watched.start, rest: { went: undefined, readsEvents: false, warnings: [] } };
    return watched.run<Run>(stage, (k, run, all) => {
      const active = all[this.activePart] as readonly Active[];
      if (callsC) giveActive(k, item(active, cpu));
      const earlier = new EarlierEvents(call);
      run.went = earlier.cutFrom(this.runner.advance(k, earlier.call, fetch));
      run.readsEvents = earlier.areRead;
      if (callsC) all[this.activePart] = active.with(cpu, takeActive(k));
      const isSerialised = 'caller' in run.went && run.went.isSerialised === true;
      if (isSerialised) k.text.views[cpu] = {};
      else if (fetch !== undefined) k.text.views[cpu] = fetch.view as View;
      run.warnings = k.warnings;
      k.warnings = [];
    });
  }

  /**
   * What the segment has missed. A step that counts up has read its counter: comparing the counters makes the step
   * depend on nothing more.
   */
  private missedIn(
    watched: Watched,
    before: readonly unknown[],
    after: readonly unknown[],
  ): ReadonlyMap<string, Misses> {
    if (this.counterParts.every((part) => before[part] === after[part])) return NOTHING_MISSED;
    // Users of function graph share a counter: what they are counts then.
    if (before[this.overrunPart] !== after[this.overrunPart])
      for (const part of [...this.counterParts, this.gopsPart]) watched.noteRead(part);
    return missesBetween(this.layout.join(before), this.layout.join(after));
  }
}

const NOTHING_MISSED: ReadonlyMap<string, Misses> = new Map();

/** Whether the task may sleep at its place: in the body of a function, and in a program that is sleepable. */
export function maySleep(runner: CallRunner, k: KernelView, caller: Caller): boolean {
  const { preemptOff, rcu } = caller.thread.current;
  if (preemptOff > 0 || rcu > 0) return false;
  const stand = runner.standOf(k, caller);
  if (stand.at !== 'C function' || caller.frames !== null) return false;
  return stand.name === 'body_hook' || k.bpf.progs[stand.number]?.program.sleepable === true;
}

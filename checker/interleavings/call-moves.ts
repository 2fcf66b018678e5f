import type { Caller, CallRunner } from '../../model/call/caller.ts';
import type { ProgId } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';
import { INTERRUPTIONS } from '../../properties/observed/scenario.ts';
import type { CallSteps, Stretch } from './calls.ts';
import type { Emit, TaskEvent } from './event.ts';
import type { EndedCall } from './goings.ts';
import { Goings } from './goings.ts';
import type { GracePeriods } from './grace-periods.ts';
import { packMove } from './move.ts';
import type { Preemption } from './preemption.ts';
import { isCpuWanted } from './preemption.ts';
import type { SpaceTables } from './space-tables.ts';
import type { EndedCounts, PackedState } from './state.ts';
import {
  ASLEEP,
  CALLERS,
  callerIn,
  conditionIn,
  cpuIn,
  NOT_BEGUN,
  OVER,
  PREEMPTED,
  RUNNING,
  sinceIn,
  standing,
  standingIn,
  WORLD,
  worldIn,
} from './state.ts';

type Leaving = 'is preempted' | 'sleeps';

/** The moves of callers: they get a CPU, run to their next point, are preempted, sleep. */
export class CallMoves {
  private readonly goings: Goings;
  private readonly programs: (readonly ProgId[])[] = [];
  /** The callers in whose calls interrupts have come, by caller, interrupt and what had ended before. */
  private readonly interrupted: Map<number, number>[] = [];

  constructor(
    private readonly tables: SpaceTables,
    private readonly runner: CallRunner,
    calls: CallSteps,
    private readonly grace: GracePeriods,
    private readonly preemption: Preemption,
    /** The callers before their calls. */
    private readonly firsts: readonly number[],
    /** For each caller, and each of `INTERRUPTIONS`, the state before the interrupt's call. */
    private readonly interrupts: readonly (readonly (Caller | undefined)[])[],
    /** Omit preemption that has no effect (`preemption.ts`). */
    private readonly reduce: boolean,
  ) {
    this.goings = new Goings(tables, runner, calls);
  }

  visit(state: PackedState, i: number, emit: Emit): void {
    const now = standingIn(state, i);
    const condition = conditionIn(now);
    if (condition === OVER) return;
    if (condition === RUNNING) return this.visitRunning(state, i, emit);
    const bound = cpuIn(now);
    for (let cpu = 0; cpu < this.tables.layout.cpus; cpu++)
      if ((bound < 0 || bound === cpu) && !this.isTaken(state, cpu)) this.comeOn(state, i, cpu, emit);
  }

  private isTaken(state: PackedState, cpu: number): boolean {
    for (let i = 0; i < this.tables.layout.callers; i++) {
      const other = standingIn(state, i);
      if (conditionIn(other) === RUNNING && cpuIn(other) === cpu) return true;
    }
    return false;
  }

  private comeOn(state: PackedState, i: number, cpu: number, emit: Emit): void {
    const index = CALLERS + 2 * i;
    const now = standingIn(state, i);
    const begins = conditionIn(now) === NOT_BEGUN;
    const next = state.slice();
    if (begins) next[index] = this.firsts[i]!;
    next[index + 1] = standing(RUNNING, cpu, begins ? this.tables.endedSoFar(state) : sinceIn(now));
    const move = packMove({ who: 'caller', index: i, does: 'runs on', detail: cpu });
    emit(move, this.settle(next, i), undefined);
  }

  private settle(state: PackedState, i: number): PackedState {
    return this.grace.settle(state, i);
  }

  private visitRunning(state: PackedState, i: number, emit: Emit): void {
    const caller = this.tables.callers.get(callerIn(state, i))!;
    const cpu = cpuIn(standingIn(state, i));
    this.goOn(state, i, cpu, emit);
    this.interrupt(state, i, caller, emit);
    const { preemptOff, migrateOff } = caller.thread.current;
    if (preemptOff > 0) return;
    const here = migrateOff > 0 ? cpu : -1;
    if (!this.preemption.keepsCpu(state, i) && (!this.reduce || isCpuWanted(this.tables, state, i)))
      this.leave(state, i, 'is preempted', here, emit);
    if (this.preemption.maySleep(state, i)) this.leave(state, i, 'sleeps', here, emit);
  }

  /** To the next point: one move for each instruction that the CPU may fetch. */
  private goOn(state: PackedState, i: number, cpu: number, emit: Emit): void {
    const number = callerIn(state, i);
    const goings = this.goings.in(worldIn(state), number, cpu);
    for (let choice = 0; choice < goings.length; choice++) {
      const { world, result: going } = goings[choice]!;
      const move = goesOn(i, choice);
      const { stretch: result } = going;
      if (result.is === 'crash') {
        emit(move, undefined, { is: 'crash', crash: result.crash });
        continue;
      }
      const after = this.goings.after(going, number);
      const next = state.slice();
      next[WORLD] = world;
      if (after.over === undefined) {
        next[CALLERS + 2 * i] = after.number;
        this.grace.start(next, result.spawned);
        emit(move, this.settle(next, i), this.eventOf(state, i, result));
      } else {
        const over = this.end(next, i, this.tables.callers.get(number)!, after.number, after.over);
        this.grace.start(next, result.spawned);
        emit(move, this.settle(next, i), warned(result) ?? over);
      }
    }
  }

  /**
   * The events for laws of a segment that is not the last: a warning, the fetched instruction, the start of a
   * program.
   */
  private eventOf(state: PackedState, i: number, stretch: Stretch): TaskEvent | undefined {
    return warned(stretch) ?? (stretch.changing ? fetched(stretch) : this.runsProgram(state, i));
  }

  /** The event of a caller that is about to enter a program. */
  private runsProgram(state: PackedState, i: number): TaskEvent | undefined {
    const [prog] = this.programsAt(state, i);
    if (prog === undefined || prog === 0) return undefined;
    const cpu = cpuIn(standingIn(state, i));
    let bodies = 0;
    for (let other = 0; other < this.tables.layout.callers; other++)
      if (cpuIn(standingIn(state, other)) === cpu)
        for (const running of this.programsAt(state, other)) if (running === prog) bodies++;
    return { is: 'runs program', prog, bodies };
  }

  /** The number of the program that a caller is about to run, 0 for none; then those of the calls that it has interrupted. */
  private programsAt(state: PackedState, i: number): readonly ProgId[] {
    const number = callerIn(state, i);
    return (this.programs[number] ??= this.programsIn(state, this.tables.callers.get(number)));
  }

  private programsIn(state: PackedState, caller: Caller | null): readonly ProgId[] {
    if (caller === null) return [];
    const stand = this.runner.standOf(this.tables.kernelOf(state), caller);
    const own = stand.at === 'C function' ? stand.number : 0;
    return [own, ...this.programsIn(state, caller.interrupted)];
  }

  /** The call has returned: the task is done, or resumes where the interrupt came. Changes the state. */
  private end(
    next: PackedState,
    i: number,
    { interrupted, by }: Caller,
    number: number,
    { run, missed }: EndedCall,
  ): TaskEvent {
    const index = CALLERS + 2 * i;
    const now = standingIn(next, i);
    next[index] = number;
    next[index + 1] = interrupted === null ? OVER : standing(RUNNING, cpuIn(now), interrupted.since);
    return {
      is: 'call over',
      caller: i,
      run,
      missed,
      since: sinceIn(now),
      by: interrupted === null ? 'task' : item(INTERRUPTIONS, Math.log2(by)),
      within: interrupted?.thread.current,
    };
  }

  /** Interrupts come, each once in a call, on top of what ranks below them. */
  private interrupt(state: PackedState, i: number, caller: Caller, emit: Emit): void {
    const rank = caller.by === 0 ? 0 : item(RANKS, Math.log2(caller.by));
    const fronts = this.interrupts[i]!;
    for (let nth = 0; nth < fronts.length; nth++) {
      const front = fronts[nth];
      if (front === undefined || (caller.came & (1 << nth)) !== 0 || RANKS[nth]! <= rank) continue;
      if (caller.trapped && INTERRUPTIONS[nth] !== 'nmi') continue;
      const index = CALLERS + 2 * i;
      const next = state.slice();
      const now = standingIn(state, i);
      next[index] = this.onTop(callerIn(state, i), sinceIn(now), i, nth);
      next[index + 1] = standing(RUNNING, cpuIn(now), this.tables.endedSoFar(state));
      const move = packMove({ who: 'caller', index: i, does: 'is interrupted', detail: nth });
      emit(move, this.settle(next, i), undefined);
    }
  }

  /** The number of a caller when the nth interrupt has come into its call. */
  private onTop(number: number, since: EndedCounts, i: number, nth: number): number {
    const { callers, layout } = this.tables;
    const known = (this.interrupted[(number * layout.callers + i) * INTERRUPTIONS.length + nth] ??=
      new Map());
    let onTop = known.get(since);
    if (onTop === undefined) {
      const front = item(item(this.interrupts, i), nth)!;
      onTop = callers.numberOf(this.runner.interrupt({ ...callers.get(number)!, since }, front));
      known.set(since, onTop);
    }
    return onTop;
  }

  private leave(state: PackedState, i: number, does: Leaving, here: number, emit: Emit): void {
    const index = CALLERS + 2 * i + 1;
    const next = state.slice();
    next[index] = standing(does === 'sleeps' ? ASLEEP : PREEMPTED, here, sinceIn(standingIn(state, i)));
    emit(packMove({ who: 'caller', index: i, does, detail: 0 }), this.settle(next, i), undefined);
  }
}

/** By the numbers of `INTERRUPTIONS`: a soft interrupt comes into a task, an interrupt into that too, an NMI into all. */
const RANKS = INTERRUPTIONS.map(
  (kind) => ({ softInterrupt: 1, interrupt: 2, earlyInterrupt: 2, nmi: 3 })[kind],
);

function goesOn(index: number, choice: number): number {
  return packMove({ who: 'caller', index, does: 'resumes', detail: choice });
}

/** A segment in which the kernel has warned. */
function warned({ warnings }: Stretch): TaskEvent | undefined {
  return warnings.length > 0 ? { is: 'call warned', warnings } : undefined;
}

function fetched({ int3 }: Stretch): TaskEvent {
  return { is: 'fetched', int3 };
}

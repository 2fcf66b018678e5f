import { crashOf } from '../../model/call/exception.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Action } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import type { ClientRequest } from '../../model/client/client-call.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { DO } from '../../model/core/instruction.ts';
import type { KernelObject } from '../../model/core/kernel-object.ts';
import { Oops } from '../../model/core/oops.ts';
import type { Flavour } from '../../model/core/part.ts';
import type { Operation } from '../../model/core/run.ts';
import { blockedOn, canEnd, nextInstruction, startOperation, waitsFor } from '../../model/core/run.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Deferred, Ended, RoutineFrame } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import { isMisuse } from '../../model/misuse.ts';
import type { Grain } from '../../model/task/advance.ts';
import { advance, toFirstStep } from '../../model/task/advance.ts';
import { trLock } from '../../model/trampoline/trampoline.ts';
import type { Effect } from './effects.ts';
import { freedBetween } from './freed-objects.ts';
import type { ClientParts, Work } from './parts.ts';
import { isQuiet, readsWhatStays } from './quiet.ts';
import type { Noted } from './step-notes.ts';
import { StepNotes } from './step-notes.ts';
import type { Watched, WatchedStage } from './watched.ts';
import type { WorldParts } from './world-parts.ts';

/** The result of a step of an operation. */
export interface Stepped extends Noted {
  readonly frames: readonly RoutineFrame[] | null;
  /** What it waits for now. */
  readonly waits: Flavour | null;
  readonly ended: Ended | undefined;
  /** Background work that it has started. */
  readonly spawned: readonly Work[];
  readonly warnings: readonly Warning[];
  /** Memory that it has freed. */
  readonly freed: readonly KernelObject[];
  /** The kernel crashed in it. */
  readonly crash: Crash | undefined;
  /** It is blocked: its lock is held, or the counter that it waits for is not zero. */
  readonly blocked: boolean;
}

/** An operation, and its answer. */
interface Under {
  operation: Operation;
  ended: Ended | undefined;
}

/** The execution of operations, step by step. */
export class OperationSteps {
  private readonly deferredPart: number;
  private readonly warningsPart: number;
  private readonly locksPart: number;
  private readonly notes: StepNotes;

  constructor(
    private readonly program: KernelProgram,
    private readonly grain: Grain,
    private readonly layout: WorldParts,
  ) {
    this.deferredPart = layout.numberOf('deferred');
    this.warningsPart = layout.numberOf('warnings');
    this.locksPart = layout.numberOf('locks');
    this.notes = new StepNotes(program, layout);
  }

  /** Begins a client's next operation, and executes its first step. */
  begin(watched: Watched, action: Action, who: string): Effect<Stepped> {
    const stage: WatchedStage<Under> = {
      parts: watched.start,
      rest: { operation: { frames: [], who }, ended: undefined },
    };
    const { rest } = watched.run(stage, (k, under) => {
      if (isMisuse(k, action)) under.ended = 'EBADF';
    });
    if (rest.ended !== undefined) return this.effect(watched, { ...stage, rest });
    const { service } = callOf(action);
    switch (service.by) {
      case 'task':
      case 'time':
        throw new Error(`${action.do} is not a client operation`);
      case 'client':
        return this.effect(
          watched,
          watched.run(stage, (k, under) => {
            under.ended = service.atOnce(k, action);
          }),
        );
      case 'routine':
        return this.beginRoutine(
          watched,
          watched.look((k) => service.request(action, k)),
          who,
        );
      default:
        return unreachable(service);
    }
  }

  private beginRoutine(watched: Watched, { routine, args }: ClientRequest, who: string): Effect<Stepped> {
    const { frames } = startOperation(this.program, routine, args);
    const begun = { parts: watched.start, rest: { operation: { frames, who }, ended: undefined } };
    return this.canGoOn(watched, begun) ? this.steps(watched, begun) : this.effect(watched, begun);
  }

  /** Executes the next step of the operation in progress. */
  goOn(watched: Watched, frames: readonly RoutineFrame[], who: string): Effect<Stepped> {
    const operation = { frames: frames as RoutineFrame[], who };
    const stage: WatchedStage<Under> = { parts: watched.start, rest: { operation, ended: undefined } };
    if (!this.canGoOn(watched, stage)) return watched.effect(stage.parts, { ...NOTHING, blocked: true });
    return this.steps(watched, stage);
  }

  private steps(watched: Watched, first: WatchedStage<Under>): Effect<Stepped> {
    try {
      const stage = this.advanced(watched, first);
      return this.effect(watched, this.grain === 'visible' ? this.withQuietSteps(watched, stage) : stage);
    } catch (error) {
      return watched.effect(first.parts, {
        ...NOTHING,
        ...this.notes.take(),
        crash: error instanceof Oops ? error.crash : crashOf(error),
      });
    }
  }

  private advanced(watched: Watched, stage: WatchedStage<Under>): WatchedStage<Under> {
    const step = this.notes.stepOf(watched, stage.rest.operation);
    const after = watched.run(stage, (k, under, parts) => {
      const watch = step.watch(under.operation, parts);
      under.ended = advance(this.program, k, under.operation, this.grain, watch);
    });
    step.compare(stage.parts, after.parts);
    return after;
  }

  /**
   * Continues with steps that no other actor can observe, and that would have the same effect later, as long as there
   * are such.
   */
  private withQuietSteps(watched: Watched, first: WatchedStage<Under>): WatchedStage<Under> {
    let stage = first;
    while (stage.rest.ended === undefined && this.next(stage.rest.operation).do === DO.STEP) {
      const noted = this.notes.count;
      const after = this.advanced(watched, stage);
      const holds = this.holding(after);
      const lockOf = (target: FunctionName) => trLock(this.layout.join(after.parts), target);
      const isHidden =
        isQuiet(this.layout, lockOf, { before: stage.parts, after: after.parts, holds }) &&
        readsWhatStays(this.layout, watched.latestReads, holds);
      if (!isHidden) {
        this.notes.cut(noted);
        break;
      }
      stage = after;
    }
    return stage;
  }

  private holding({ parts, rest }: WatchedStage<Under>): (lock: string) => boolean {
    const locks = parts[this.locksPart] as Kernel['locks'];
    return (lock) => locks[lock] === rest.operation.who;
  }

  private next({ frames }: Operation) {
    return nextInstruction(this.program, frames);
  }

  private effect(watched: Watched, { parts, rest }: WatchedStage<Under>): Effect<Stepped> {
    const frames = rest.ended === undefined ? rest.operation.frames : null;
    const { clean, spawned } = this.takeDeferred(watched, parts);
    clean[this.warningsPart] = [];
    return watched.effect(clean, {
      frames,
      waits: frames === null ? null : this.waitsFor(frames),
      ended: rest.ended,
      spawned,
      warnings: parts[this.warningsPart] as Warning[],
      freed: freedBetween(this.layout.join(watched.start), this.layout.join(parts)),
      ...this.notes.take(),
      crash: undefined,
      blocked: false,
    });
  }

  /** Takes work for grace periods and work queues out of a world. */
  takeDeferred(watched: Watched, parts: readonly unknown[]): { clean: unknown[]; spawned: Work[] } {
    const deferred = parts[this.deferredPart] as Deferred[];
    const clean = parts.slice();
    if (deferred.length > 0) clean[this.deferredPart] = [];
    return { clean, spawned: deferred.map((deferred) => this.begun(watched, parts, deferred)) };
  }

  /** Work for a grace period: it begins to wait at once. */
  private begun(watched: Watched, parts: readonly unknown[], deferred: Deferred): Work {
    const work = this.workOf(deferred);
    const stage: WatchedStage<Under> = {
      parts,
      rest: { operation: { frames: work.frames as RoutineFrame[], who: work.who }, ended: undefined },
    };
    const { rest } = watched.run(stage, (k, under) => toFirstStep(this.program, k, under.operation));
    const { frames: begun } = rest.operation;
    return { ...work, frames: begun, waits: this.waitsFor(begun), holdouts: 0 };
  }

  private workOf({ routine, args, frames }: Deferred): Omit<Work, 'waits' | 'holdouts'> {
    return {
      who: `${routine} ${JSON.stringify(args)}`,
      routine,
      args,
      image: String(args['image'] ?? ''),
      frames: frames ?? startOperation(this.program, routine, args).frames,
    };
  }

  private waitsFor(frames: readonly RoutineFrame[]): Flavour | null {
    return waitsFor(this.program, { frames: frames as RoutineFrame[] }) ?? null;
  }

  /** Whether the next step is enabled: its lock is free, its wait is over. The check changes nothing. */
  private canGoOn(watched: Watched, stage: WatchedStage<Under>): boolean {
    const { operation } = stage.rest;
    return watched.look(
      (k) => blockedOn(this.program, k, operation) === undefined && canEnd(this.program, k, operation),
    );
  }
}

const NOTHING: Stepped = {
  frames: null,
  waits: null,
  ended: undefined,
  spawned: [],
  warnings: [],
  freed: [],
  did: [],
  unlocked: [],
  crash: undefined,
  blocked: false,
};

/** A client that has not begun. */
export const IDLE_CLIENT: ClientParts = { answers: [], frames: null, waits: null, holdouts: 0 };

import type { Outcome } from '../../model/call/outcome.ts';
import type { Action, ActionOf } from '../../model/client/all.ts';
import type { Crash } from '../../model/core/crash.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { callOf } from '../../properties/observed/sample-call.ts';
import { CallMemo } from './call-memo.ts';
import type { CallSeen } from './call-seen.ts';
import { Window } from './window.ts';

/** A kernel at rest between two operations of a history. */
export interface HistoryScene {
  readonly k: Kernel;
  /** The events of a call of each function there. */
  readonly calls: Calls;
  readonly requests: readonly ActionOf<'call'>[];
  /** The events of calls so far in any kernel of its kind. */
  readonly memo: CallMemo;
}

/** The events of a call of each function. */
export type Calls = ReadonlyMap<string, CallSeen>;

/** The observation of one operation: two kernels are compared by these. */
export interface ShownCall {
  /** The client's answers, call by call. */
  readonly answers: readonly (Errno | 0)[];
  readonly warned: boolean;
  /** The kernel crashed, or waits for ever. */
  readonly died: boolean;
  /**
   * The events of calls of each function that began during the operation, or before time had passed, and that are
   * neither those before nor those after. A function without such a call is missing.
   */
  readonly between: ReadonlyMap<string, readonly CallSeen[]>;
  /** The events of calls when all grace periods are over. */
  readonly after: Calls;
  /** Programs that the client has closed, and that still exist. */
  readonly kept: readonly number[];
}

/** An operation of a history: its observation, its spelling, and the resulting scene, if anything follows. */
export interface PlayedHistory {
  readonly actions: readonly Action[];
  readonly warnings: readonly Warning[];
  /** How the kernel crashed. */
  readonly died: Crash | undefined;
  readonly shown: ShownCall;
  readonly next: HistoryScene | undefined;
}

/** Where histories begin. */
export function firstScene(profile: string, functions: readonly TracedFunction[]): HistoryScene {
  const k = bootKernel({ profile, boot: 'default', functions });
  const requests = functions.map((fn) => callOf(fn, 0) as ActionOf<'call'>);
  const memo = new CallMemo(k);
  return { k, calls: new Window(k, requests, memo).calledNow(), requests, memo };
}

/** One operation of a history while it is being played: a client makes a few calls. */
export class HistoryOperation {
  private readonly actions: Action[] = [];
  private readonly answers: (Errno | 0)[] = [];
  private readonly warnings: Warning[] = [];
  private readonly window: Window;
  private died: Crash | undefined;

  constructor(private readonly scene: HistoryScene) {
    this.window = new Window(scene.k, scene.requests, scene.memo);
  }

  /** One call of the client; answers whether it succeeded. Nothing runs after a crash. */
  do(action: Action): boolean {
    if (this.died !== undefined) return false;
    const { errno } = this.apply(action);
    this.actions.push(action);
    this.answers.push(errno);
    return errno === 0 && this.died === undefined;
  }

  private apply(action: Action): Outcome {
    const { window } = this;
    const watch = { step: window.step.bind(window) };
    const outcome = apply(window.k, action, undefined, watch);
    this.warnings.push(...outcome.warnings);
    this.died = outcome.died;
    return outcome;
  }

  /** All calls of the client have returned, and time passes. */
  end(): PlayedHistory {
    const { scene, window, actions, answers, warnings } = this;
    if (this.died === undefined) {
      window.look();
      this.apply({ do: 'settle' });
    }
    const { died } = this;
    const k = window.kernel;
    const after: Calls = died === undefined ? window.calledNow() : new Map();
    const kept = actions.flatMap((action) =>
      action.do === 'close(prog)' && k.bpf.progs[action.prog]?.freed === false ? [action.prog] : [],
    );
    const shown: ShownCall = {
      answers,
      warned: warnings.length > 0,
      died: died !== undefined,
      between: betweenOf(window, scene.calls, after),
      after,
      kept,
    };
    const next = died !== undefined || kept.length > 0 ? undefined : { ...scene, k, calls: after };
    return { actions, warnings, died, shown, next };
  }
}

function betweenOf({ seen }: Window, before: Calls, after: Calls): ShownCall['between'] {
  const between = new Map<string, CallSeen[]>();
  for (const [fn, all] of seen) {
    const others = [...all].filter((name) => name !== before.get(fn) && name !== after.get(fn));
    if (others.length > 0) between.set(fn, others);
  }
  return between;
}

import type { CallRun } from '../../model/call-frame.ts';
import type { Advance, Caller } from '../../model/caller.ts';
import { CallRunner } from '../../model/caller.ts';
import { Oops } from '../../model/core/oops.ts';
import { blockedOn, startOperation, waitsFor } from '../../model/core/run.ts';
import type { Ended, Frame } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { isMisuse } from '../../model/misuse.ts';
import { operationOf } from '../../model/operation.ts';
import type { KernelProgram } from '../../model/step.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import type { Grain } from '../../model/task/advance.ts';
import { advance } from '../../model/task/advance.ts';
import { nothingForbidden } from '../../model/task/current.ts';
import type { Condition } from '../../model/task/grace-period.ts';
import { isWaitedFor } from '../../model/task/grace-period.ts';
import { fetches } from '../../model/text/view.ts';
import { giveActive, takeActive } from '../../model/thread.ts';
import { copyKernel } from '../attach/copy-kernel.ts';
import type { CallerPart, Log, Processor, Work } from './parts.ts';
import type { Scenario } from './scenario.ts';
import { Table } from './table.ts';

/** A state: numbers of its parts (`Layout`). */
export type State = number[];

export interface Crash {
  readonly kind: string;
  readonly text: string;
}

/** Where the numbers of a state stand. */
const KERNEL = 0;
const LOG = 1;
const PROCESSORS = 2;
const CALLERS = 3;
const PER_CALLER = 3;
const PER_WORK = 2;
const WORKS_MOST = 8;

/** How a caller stands: not begun, over, kept from a processor, asleep; from 4 on on a certain processor. */
const NOT_BEGUN = 0;
const OVER = 1;
const PREEMPTED = 2;
const ASLEEP = 3;
const ON_PROCESSOR = 4;
const RUNNING = 0;
const PREEMPTED_HERE = 1;
const ASLEEP_HERE = 2;

type Worked =
  | { readonly is: 'blocked' }
  | { readonly is: 'crash'; readonly crash: Crash }
  | {
      readonly is: 'done';
      readonly kernel: number;
      readonly processors: number;
      readonly work: number;
      readonly began: boolean;
      readonly ended: Ended | undefined;
      readonly spawned: readonly number[];
      readonly warnings: readonly string[];
    };

type Gone =
  | { readonly is: 'crash'; readonly crash: Crash }
  | { readonly is: 'over'; readonly kernel: number; readonly processors: number; readonly run: CallRun }
  | { readonly is: 'on'; readonly kernel: number; readonly processors: number; readonly caller: number };

export interface Options {
  readonly program?: KernelProgram;
  readonly grain?: Grain;
  readonly symmetry?: boolean;
}

/** What can happen in a state. */
export type Visit = (move: Move, next: State | undefined, crash: Crash | undefined) => void;

export interface Move {
  readonly who: 'caller' | 'client' | 'work';
  readonly index: number;
  readonly what: 'begin' | 'go' | 'preempt' | 'sleep' | 'resume' | 'step';
  readonly detail: number;
}

export class Space {
  readonly kernels = new Table<Kernel>();
  readonly processors = new Table<readonly Processor[]>();
  readonly callers = new Table<CallerPart>();
  readonly works = new Table<Work>();
  readonly logs = new Table<Log>();
  readonly width: number;
  private readonly program: KernelProgram;
  private readonly runner: CallRunner;
  private readonly grain: Grain;
  private readonly clientsAt: number;
  private readonly worksAt: number;
  private readonly workMemo: Map<number, Worked>[] = [];
  private readonly callMemo: Map<number, Gone[]>[] = [];
  private readonly first: number[] = [];
  private readonly sleeps: boolean[] = [];

  constructor(
    readonly scenario: Scenario,
    readonly options: Options = {},
  ) {
    this.program = options.program ?? KERNEL_PROGRAM;
    this.grain = options.grain ?? 'visible';
    this.runner = new CallRunner(scenario.functions, this.program.cFunctions, this.grain);
    this.clientsAt = CALLERS + PER_CALLER * scenario.callers.length;
    this.worksAt = this.clientsAt + PER_WORK * scenario.clients.length;
    this.width = this.worksAt + PER_WORK * WORKS_MOST;
    this.callers.numberOf(null);
  }

  initial(): State {
    const { profile, functions, setup, callers, clients, processors } = this.scenario;
    const k = bootKernel({ profile, boot: 'default', functions });
    for (const action of setup) {
      const outcome = apply(k, action, this.program);
      if (outcome.errno !== 0) throw new Error(`the setup fails: ${action.do} = ${outcome.errno}`);
    }
    const spawned = this.takeSpawned(k);
    const state: State = new Array<number>(this.width).fill(-1);
    state[KERNEL] = this.kernels.numberOf(k);
    state[LOG] = this.logs.numberOf([]);
    state[PROCESSORS] = this.processors.numberOf(
      Array.from({ length: processors }, () => ({ view: {}, active: {} })),
    );
    callers.forEach((_, i) => {
      const at = CALLERS + PER_CALLER * i;
      state[at] = 0;
      state[at + 1] = NOT_BEGUN;
      state[at + 2] = 0;
    });
    clients.forEach((_, i) => {
      const at = this.clientsAt + PER_WORK * i;
      state[at] = this.works.numberOf({ begun: 0, frames: null, waits: null });
      state[at + 1] = 0;
    });
    for (const { call } of callers) this.first.push(this.inFrontOf(k, call));
    this.addWorks(state, spawned);
    return state;
  }

  /** Stands at the call site: what comes before is nobody's business. */
  private inFrontOf(k: Kernel, call: Caller['request']): number {
    const copy = copyKernel(k);
    let caller = this.runner.begin(copy, call);
    while (this.runner.standOf(copy, caller).at !== 'place') {
      const went = this.runner.advance(copy, caller, undefined);
      if (!('caller' in went)) throw new Error('a call is over before it has begun');
      caller = went.caller;
    }
    return this.callers.numberOf(caller);
  }

  // --- what can happen ------------------------------------------------------------------------------------------

  visit(state: State, visit: Visit): void {
    const { scenario } = this;
    for (let i = 0; i < scenario.clients.length; i++)
      this.visitWork(state, this.clientsAt + PER_WORK * i, { who: 'client', index: i, what: 'step', detail: 0 }, visit);
    for (let i = 0; i < WORKS_MOST; i++) {
      const at = this.worksAt + PER_WORK * i;
      if (state[at]! < 0) break;
      this.visitWork(state, at, { who: 'work', index: i, what: 'step', detail: 0 }, visit);
    }
    for (let i = 0; i < scenario.callers.length; i++) this.visitCaller(state, i, visit);
  }

  private visitWork(state: State, at: number, move: Move, visit: Visit): void {
    if (state[at + 1] !== 0) return;
    const client = move.who === 'client' ? move.index : -1;
    const worked = this.worked(state, state[at]!, client);
    if (worked === undefined || worked.is === 'blocked') return;
    if (worked.is === 'crash') return visit(move, undefined, worked.crash);
    const next = state.slice();
    next[KERNEL] = worked.kernel;
    next[PROCESSORS] = worked.processors;
    if (worked.began || worked.ended !== undefined)
      if (client >= 0) next[LOG] = this.logAfter(state[LOG]!, client, worked);
    if (client < 0 && worked.ended !== undefined) this.removeWork(next, at);
    else {
      next[at] = worked.work;
      next[at + 1] = this.maskFor(next, worked.work);
    }
    this.addWorks(next, worked.spawned);
    visit(move, next, undefined);
  }

  private logAfter(log: number, client: number, { began, ended }: { began: boolean; ended: Ended | undefined }): number {
    const entries = [...this.logs.get(log)];
    if (began) entries.push({ client });
    if (ended !== undefined) entries.push({ client, ended });
    return this.logs.numberOf(entries);
  }

  private visitCaller(state: State, i: number, visit: Visit): void {
    const at = CALLERS + PER_CALLER * i;
    const condition = state[at + 1]!;
    if (condition === OVER) return;
    if (condition === NOT_BEGUN) {
      for (const cpu of this.freeProcessors(state)) {
        const next = state.slice();
        next[at] = this.first[i]!;
        next[at + 1] = ON_PROCESSOR + 3 * cpu + RUNNING;
        next[at + 2] = state[LOG]!;
        visit({ who: 'caller', index: i, what: 'begin', detail: cpu }, this.settled(next, i), undefined);
      }
      return;
    }
    if (condition < ON_PROCESSOR || (condition - ON_PROCESSOR) % 3 !== RUNNING) {
      const pinned = condition >= ON_PROCESSOR ? Math.floor((condition - ON_PROCESSOR) / 3) : -1;
      for (const cpu of this.freeProcessors(state)) {
        if (pinned >= 0 && pinned !== cpu) continue;
        const next = state.slice();
        next[at + 1] = ON_PROCESSOR + 3 * cpu + RUNNING;
        visit({ who: 'caller', index: i, what: 'resume', detail: cpu }, this.settled(next, i), undefined);
      }
      return;
    }
    this.visitRunning(state, i, Math.floor((condition - ON_PROCESSOR) / 3), visit);
  }

  private visitRunning(state: State, i: number, cpu: number, visit: Visit): void {
    const at = CALLERS + PER_CALLER * i;
    const caller = state[at]!;
    const went = this.gone(state, caller, cpu);
    for (let choice = 0; choice < went.length; choice++) {
      const one = went[choice]!;
      const move: Move = { who: 'caller', index: i, what: 'go', detail: choice };
      if (one.is === 'crash') {
        visit(move, undefined, one.crash);
        continue;
      }
      const next = state.slice();
      next[KERNEL] = one.kernel;
      next[PROCESSORS] = one.processors;
      if (one.is === 'over') {
        next[at] = 0;
        next[at + 1] = OVER;
        next[at + 2] = 0;
      } else next[at] = one.caller;
      visit(move, this.settled(next, i), undefined);
    }
    const { current } = this.callers.get(caller)!.thread;
    if (current.preemptOff > 0) return;
    const here = current.migrateOff > 0;
    const leave = (what: 'preempt' | 'sleep', free: number, pinned: number) => {
      const next = state.slice();
      next[at + 1] = here ? ON_PROCESSOR + 3 * cpu + pinned : free;
      visit({ who: 'caller', index: i, what, detail: 0 }, this.settled(next, i), undefined);
    };
    leave('preempt', PREEMPTED, PREEMPTED_HERE);
    if (current.rcu === 0 && this.maySleep(state, caller)) leave('sleep', ASLEEP, ASLEEP_HERE);
  }

  private maySleep(state: State, caller: number): boolean {
    return (this.sleeps[caller] ??= this.isSleepable(state, caller));
  }

  private isSleepable(state: State, caller: number): boolean {
    const k = this.kernels.get(state[KERNEL]!);
    const stand = this.runner.standOf(k, this.callers.get(caller)!);
    if (stand.at !== 'C function') return false;
    return stand.name === 'body_hook' || k.bpf.progs[stand.number]?.program.sleepable === true;
  }

  private freeProcessors(state: State): number[] {
    const { callers, processors } = this.scenario;
    const taken = new Set<number>();
    for (let i = 0; i < callers.length; i++) {
      const condition = state[CALLERS + PER_CALLER * i + 1]! - ON_PROCESSOR;
      if (condition >= 0 && condition % 3 === RUNNING) taken.add(condition / 3);
    }
    return Array.from({ length: processors }, (_, cpu) => cpu).filter((cpu) => !taken.has(cpu));
  }

  // --- grace periods --------------------------------------------------------------------------------------------

  private isHeldUp(state: State, work: number, i: number): boolean {
    const { waits } = this.works.get(work);
    if (waits === null) return false;
    const at = CALLERS + PER_CALLER * i;
    const caller = this.callers.get(state[at]!);
    return isWaitedFor(waits, {
      condition: conditionOf(state[at + 1]!),
      current: caller?.thread.current ?? nothingForbidden(),
      idle: this.scenario.callers[i]!.idle ?? false,
    });
  }

  private maskFor(state: State, work: number): number {
    if (this.works.get(work).waits === null) return 0;
    let mask = 0;
    for (let i = 0; i < this.scenario.callers.length; i++) if (this.isHeldUp(state, work, i)) mask |= 1 << i;
    return mask;
  }

  /** A caller stands differently: grace periods that no longer have to wait for it do not. */
  private settled(state: State, i: number): State {
    for (let at = this.clientsAt; at < this.width; at += PER_WORK) {
      if (state[at]! < 0) break;
      if ((state[at + 1]! & (1 << i)) !== 0 && !this.isHeldUp(state, state[at]!, i)) state[at + 1]! &= ~(1 << i);
    }
    this.sortWorks(state);
    return state;
  }

  // --- background work ------------------------------------------------------------------------------------------

  private takeSpawned(k: Kernel): number[] {
    const { deferred } = k;
    k.deferred = [];
    return deferred.map(({ routine, args, frames }) => {
      const operation = { frames: frames ?? startOperation(this.program, routine, args).frames };
      return this.works.numberOf(this.workOf(-1, operation.frames));
    });
  }

  private workOf(begun: number, frames: readonly Frame[] | null): Work {
    const waits = frames === null ? null : (waitsFor(this.program, { frames: [...frames] }) ?? null);
    return { begun, frames, waits };
  }

  private addWorks(state: State, spawned: readonly number[]): void {
    if (spawned.length === 0) return;
    for (const work of spawned) {
      let at = this.worksAt;
      while (at < this.width && state[at]! >= 0) at += PER_WORK;
      if (at >= this.width) throw new Error(`more than ${WORKS_MOST} pieces of background work`);
      state[at] = work;
      state[at + 1] = this.maskFor(state, work);
    }
    this.sortWorks(state);
  }

  private removeWork(state: State, at: number): void {
    state.splice(at, PER_WORK);
    state.push(-1, -1);
  }

  private sortWorks(state: State): void {
    const works: [number, number][] = [];
    for (let at = this.worksAt; at < this.width && state[at]! >= 0; at += PER_WORK)
      works.push([state[at]!, state[at + 1]!]);
    if (works.length < 2) return;
    works.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    works.forEach(([work, mask], i) => {
      state[this.worksAt + PER_WORK * i] = work;
      state[this.worksAt + PER_WORK * i + 1] = mask;
    });
  }

  // --- steps, each done once for what it depends on ---------------------------------------------------------------

  private worked(state: State, work: number, client: number): Worked | undefined {
    const { frames, begun } = this.works.get(work);
    if (frames === null && begun >= this.scenario.clients[client]!.length) return undefined;
    const memo = (this.workMemo[2 * work + (frames === null ? 0 : 0)] ??= new Map());
    const key = (state[KERNEL]! * 65536 + state[PROCESSORS]!) * 8 + (frames === null ? client : 7);
    let worked = memo.get(key);
    if (worked === undefined) {
      worked = this.work(state, work, client);
      memo.set(key, worked);
    }
    return worked;
  }

  private work(state: State, work: number, client: number): Worked {
    const { frames, begun } = this.works.get(work);
    const k = copyKernel(this.kernels.get(state[KERNEL]!));
    const processors = this.processors.get(state[PROCESSORS]!);
    k.text.views = processors.map(({ view }) => ({ ...view }));
    const operation = { frames: frames === null ? [] : structuredClone([...frames]) };
    const done = (ended: Ended | undefined, count: number, began: boolean): Worked => {
      const { views } = k.text;
      k.text.views = [];
      const { warnings } = k;
      k.warnings = [];
      const spawned = this.takeSpawned(k);
      return {
        is: 'done',
        kernel: this.kernels.numberOf(k),
        processors: this.processors.numberOf(processors.map((one, i) => ({ ...one, view: views[i]! }))),
        work: this.works.numberOf(this.workOf(count, ended === undefined ? operation.frames : null)),
        began,
        ended,
        spawned,
        warnings,
      };
    };
    try {
      let count = begun;
      const began = frames === null;
      if (frames === null) {
        const action = this.scenario.clients[client]![begun]!;
        count++;
        if (isMisuse(k, action)) return done('EBADF', count, true);
        if (action.do === 'call' || action.do === 'ftrace_ops' || action.do === 'fail' || action.do === 'settle')
          return done(apply(k, action, this.program).errno, count, true);
        const { routine, args } = operationOf(action);
        operation.frames = startOperation(this.program, routine, args).frames;
      } else if (!this.isReady(k, operation.frames)) return { is: 'blocked' };
      return done(advance(this.program, k, operation, this.grain), count, began);
    } catch (error) {
      if (error instanceof Oops) return { is: 'crash', crash: { kind: error.where, text: error.message } };
      throw error;
    }
  }

  /** The lock that comes next is free; the counter that is waited for is zero. */
  private isReady(k: Kernel, frames: Frame[]): boolean {
    if (blockedOn(this.program, k, { frames }) !== undefined) return false;
    if (waitsFor(this.program, { frames }) !== 'percpu_ref') return true;
    return k.bpf.images[frames.at(-1)!.locals['image'] as string]!.refs === 0;
  }

  private gone(state: State, caller: number, cpu: number): Gone[] {
    const memo = (this.callMemo[caller] ??= new Map());
    const key = (state[KERNEL]! * 65536 + state[PROCESSORS]!) * 8 + cpu;
    let gone = memo.get(key);
    if (gone === undefined) {
      gone = this.go(state, caller, cpu);
      memo.set(key, gone);
    }
    return gone;
  }

  private go(state: State, number: number, cpu: number): Gone[] {
    const kernel = this.kernels.get(state[KERNEL]!);
    const processors = this.processors.get(state[PROCESSORS]!);
    const caller = this.callers.get(number)!;
    const stand = this.runner.standOf(kernel, caller);
    const choices = stand.at === 'place' ? fetches(kernel, processors[cpu]!.view, stand.place) : [undefined];
    return choices.map((fetch) => {
      const k = copyKernel(kernel);
      giveActive(k, processors[cpu]!.active);
      const went: Advance = this.runner.advance(k, caller, fetch);
      if ('crash' in went) return { is: 'crash', crash: { kind: went.kind, text: went.crash } };
      const after = { view: fetch?.view ?? processors[cpu]!.view, active: takeActive(k) };
      k.warnings = [];
      const parts = {
        kernel: this.kernels.numberOf(k),
        processors: this.processors.numberOf(processors.map((one, i) => (i === cpu ? after : one))),
      };
      if ('over' in went) return { is: 'over', ...parts, run: went.over };
      return { is: 'on', ...parts, caller: this.callers.numberOf(went.caller) };
    });
  }
}

function conditionOf(condition: number): Condition {
  if (condition === NOT_BEGUN || condition === OVER) return 'outside';
  if (condition === PREEMPTED) return 'preempted';
  if (condition === ASLEEP) return 'asleep';
  return (['running', 'preempted', 'asleep'] as const)[(condition - ON_PROCESSOR) % 3]!;
}

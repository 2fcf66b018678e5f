import type { CallRun } from '../../model/call-frame.ts';
import { CallRunner } from '../../model/caller.ts';
import { PAGES_MOST } from '../../model/code-place.ts';
import type { Flavour } from '../../model/core/part.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Ended } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import type { KernelProgram } from '../../model/step.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import type { Grain } from '../../model/task/advance.ts';
import { nothingForbidden } from '../../model/task/current.ts';
import { isWaitedFor } from '../../model/task/grace-period.ts';
import type { Active } from '../../model/thread.ts';
import { takeActive } from '../../model/thread.ts';
import { calledFrom } from '../../model/trampoline/traced-function.ts';
import type { Stretch } from './calls.ts';
import { CallSteps, maySleep } from './calls.ts';
import type { Applied } from './effects.ts';
import { Effects } from './effects.ts';
import { packMove } from './move.ts';
import type { Crash, Stepped } from './operations.ts';
import { IDLE_CLIENT, OperationSteps } from './operations.ts';
import type { CallerPart, Client, Work } from './parts.ts';
import type { CallerScript, Scenario } from './scenario.ts';
import type { Layout, State } from './state.ts';
import {
  ASLEEP,
  CALLERS,
  conditionIn,
  conditionNamed,
  layoutOf,
  NOT_BEGUN,
  OVER,
  PREEMPTED,
  processorIn,
  RUNNING,
  sinceIn,
  standing,
  WORLD,
} from './state.ts';
import { Table } from './table.ts';
import { isChangedUnseen, isIn, isReachable } from './unobserved.ts';
import { Watched } from './watched.ts';
import { WorldParts } from './world-parts.ts';
import { Worlds } from './worlds.ts';

/** How a space is cut, and which states count as one. */
export interface SpaceOptions {
  readonly program?: KernelProgram;
  readonly grain?: Grain;
  /** Leave out what makes no difference: preemption that nobody profits from. Default: yes. */
  readonly reduce?: boolean;
  /** States that differ only in names count as one. Default: yes. */
  readonly symmetric?: boolean;
}

/** Something in a move that laws may have a say about. */
export type Event =
  | { readonly is: 'crash'; readonly crash: Crash }
  | { readonly is: 'call over'; readonly caller: number; readonly run: CallRun; readonly since: number }
  | { readonly is: 'operation'; readonly client: number; readonly step: Stepped }
  | { readonly is: 'work'; readonly step: Stepped }
  | { readonly is: 'fetched'; readonly int3: boolean }
  | { readonly is: 'runs program'; readonly prog: number; readonly bodies: number };

/** Is given every move that a state allows: the state that comes of it, unless the kernel crashed, and what happened. */
export type Emit = (move: number, next: State | undefined, event: Event | undefined) => void;

/**
 * The states of a scenario and the moves between them. What a step does is worked out once for the parts of the world
 * that it reads; states are made of numbers of parts.
 */
export class Space {
  readonly worlds = new Worlds();
  readonly callers = new Table<CallerPart>();
  readonly clients = new Table<Client>();
  readonly works = new Table<readonly Work[]>();
  readonly layout: Layout;
  readonly runner: CallRunner;
  readonly parts: WorldParts;
  readonly program: KernelProgram;
  readonly symmetric: boolean;
  private readonly boot: Kernel;
  private readonly operations: OperationSteps;
  private readonly calls: CallSteps;
  private readonly reduce: boolean;
  private readonly clientSteps: Effects<Stepped>[] = [];
  private readonly workSteps: Effects<Stepped>[][] = [];
  private readonly choices: Effects<number>[] = [];
  private readonly callSteps: Effects<Stretch>[][] = [];
  private readonly after = new WeakMap<Stepped, number[]>();
  private readonly sleeps: boolean[] = [];
  private readonly programs: number[] = [];
  private readonly firsts: number[];
  /** For each caller, its number and how it stands before anybody begins. */
  private readonly starts: (readonly [number, number])[];
  /** The programs that run on the first processor then. */
  private readonly active: Active;
  private readonly none: number;
  private readonly pokePart: number;
  private readonly viewsPart: number;
  private readonly textParts: ReadonlySet<number>;
  /** Functions that calls come to. */
  private readonly called: ReadonlySet<string>;

  constructor(
    readonly scenario: Scenario,
    { program = KERNEL_PROGRAM, grain = 'visible', reduce = true, symmetric = true }: SpaceOptions = {},
  ) {
    this.program = program;
    const { profile, functions, setup, processors } = scenario;
    this.reduce = reduce;
    this.symmetric = symmetric;
    this.layout = layoutOf(scenario);
    this.boot = bootKernel({ profile, boot: 'default', functions });
    this.parts = new WorldParts(this.boot);
    this.operations = new OperationSteps(program, grain, this.parts);
    this.runner = new CallRunner(functions, program, grain);
    this.calls = new CallSteps(this.runner, this.parts);
    for (const action of setup) {
      const { errno } = apply(this.boot, action, program);
      if (errno !== 0) throw new Error(`the setup fails: ${action.do} answers ${errno}`);
    }
    apply(this.boot, { do: 'settle' }, program);
    this.boot.text.pagesUsed = PAGES_MOST / 2;
    this.boot.text.views = Array.from({ length: processors }, () => ({}));
    this.viewsPart = this.parts.numberOf('text.views');
    this.pokePart = this.parts.numberOf('text.poke');
    this.textParts = new Set(
      ['sites', 'pages', 'poke', 'pokes', 'views'].map((part) => this.parts.numberOf(`text.${part}`)),
    );
    this.called = new Set(scenario.callers.flatMap(({ call }) => calledFrom(functions, call.fn)));
    this.none = this.callers.numberOf(null);
    this.starts = scenario.callers.map((caller) => this.startOf(caller));
    this.active = takeActive(this.boot);
    this.firsts = scenario.callers.map(({ call }) =>
      this.callers.numberOf(this.calls.inFrontOfSite(this.boot, call)),
    );
  }

  private startOf({ call, startsAt }: CallerScript): readonly [number, number] {
    if (startsAt === undefined) return [this.none, NOT_BEGUN];
    const caller = this.calls.broughtTo(this.boot, call, startsAt.place);
    const processor = caller.thread.current.migrateOff > 0 ? 0 : -1;
    const condition = startsAt.condition === 'asleep' ? ASLEEP : PREEMPTED;
    return [this.callers.numberOf(caller), standing(condition, processor, 0)];
  }

  /** Everything is set up, and nobody has begun. */
  initial(): State {
    const { clients, processors } = this.scenario;
    const parts = this.parts.split({ ...this.boot, warnings: [] });
    const active = Array.from({ length: processors }, (_, cpu) => (cpu === 0 ? this.active : {}));
    return [
      this.worlds.numberOf([...parts, active].map((part) => this.worlds.partNumber(part))),
      ...this.starts.flat(),
      ...clients.map(() => this.clients.numberOf(IDLE_CLIENT)),
      this.works.numberOf([]),
    ];
  }

  /** What each processor sees and counts, as text. */
  spellProcessors(world: number): string[] {
    const [views, active] = this.processorParts(world);
    return views.map((view, cpu) => JSON.stringify([view, active[cpu]]));
  }

  /** A world with its processors in another order. */
  worldWithProcessors(world: number, order: readonly number[]): number {
    const [views, active] = this.processorParts(world);
    const after = this.worlds.get(world).slice();
    after[this.viewsPart] = this.worlds.partNumber(order.map((from) => views[from]));
    after[this.parts.count] = this.worlds.partNumber(order.map((from) => active[from]));
    return this.worlds.numberOf(after);
  }

  private processorParts(world: number): [Kernel['text']['views'], readonly Active[]] {
    const parts = this.worlds.get(world);
    const views = this.worlds.part(parts[this.viewsPart]!) as Kernel['text']['views'];
    return [views, this.worlds.part(parts[this.parts.count]!) as readonly Active[]];
  }

  /** Callers have come into another order: grace periods wait for the same ones. Changes the state. */
  renameHoldouts(state: State, order: readonly number[]): void {
    const renamed = (holdouts: number) =>
      order.reduce((all, from, to) => all | (((holdouts >> from) & 1) << to), 0);
    const { clientsAt, worksAt } = this.layout;
    for (let at = clientsAt; at < worksAt; at++) {
      const client = this.clients.get(state[at]!);
      const holdouts = renamed(client.holdouts);
      if (holdouts !== client.holdouts) state[at] = this.clients.numberOf({ ...client, holdouts });
    }
    const works = this.worksOf(state);
    if (works.some(({ holdouts }) => renamed(holdouts) !== holdouts))
      state[worksAt] = this.numberOfWorks(
        works.map((work) => ({ ...work, holdouts: renamed(work.holdouts) })),
      );
  }

  /** The kernel of a state. */
  kernelOf(state: State): Kernel {
    return this.parts.join(this.worlds.partsOf(this.worlds.get(state[WORLD]!)));
  }

  /** For each processor, the programs that run on it. */
  runningOn(state: State): readonly Active[] {
    return this.processorParts(state[WORLD]!)[1];
  }

  clientOf(state: State, i: number): Client {
    return this.clients.get(state[this.layout.clientsAt + i]!);
  }

  /** The numbers of all clients of a state. */
  clientNumbers(state: State): number[] {
    return state.slice(this.layout.clientsAt, this.layout.worksAt);
  }

  worksOf(state: State): readonly Work[] {
    return this.works.get(state[this.layout.worksAt]!);
  }

  /** Whether all have done what they had to do. */
  hasFinished(state: State): boolean {
    const { clients, callers } = this.scenario;
    return (
      clients.every((script, i) => this.clientOf(state, i).answers.length === script.length) &&
      callers.every((_, i) => conditionIn(state[CALLERS + 2 * i + 1]!) === OVER) &&
      this.worksOf(state).length === 0
    );
  }

  /** Whether a call is under way. */
  isInCall(state: State): boolean {
    for (let i = 0; i < this.layout.callers; i++)
      if (conditionIn(state[CALLERS + 2 * i + 1]!) >= RUNNING) return true;
    return false;
  }

  callerOf(state: State, i: number): CallerPart {
    return this.callers.get(state[CALLERS + 2 * i]!);
  }

  visit(state: State, emit: Emit): void {
    const { clients, callers } = this.layout;
    if (this.reduce && (this.visitUnobserved(state, emit) || this.visitUnseenChange(state, emit))) return;
    for (let i = 0; i < clients; i++) this.visitClient(state, i, emit);
    this.visitWorks(state, emit);
    for (let i = 0; i < callers; i++) this.visitCaller(state, i, emit);
  }

  /** One step of background work that nobody can see: it comes before everything else. */
  private visitUnobserved(state: State, emit: Emit): boolean {
    const works = this.worksOf(state);
    let done = false;
    for (let j = 0; j < works.length && !done; j++) {
      if (works[j]!.holdouts !== 0 || !this.isUnobserved(state, works[j]!)) continue;
      this.visitWork(state, works, j, (move, next, event) => {
        done = true;
        emit(move, next, event);
      });
    }
    return done;
  }

  /** Since generation C the end of an image changes its trampoline, which others can see. */
  private isUnobserved(state: State, { image, waits }: Work): boolean {
    if (image === '') return false;
    const k = this.kernelOf(state);
    const isLast = waits === null || waits === 'workqueue';
    if (isLast && profileNamed(k.profile).imageLifecycle === 'C') return false;
    if (k.bpf.images[image] === undefined || isReachable(k, image)) return false;
    for (let i = 0; i < this.layout.callers; i++) if (isIn(k, image, this.callerOf(state, i))) return false;
    return true;
  }

  private watch(world: readonly number[]): Watched {
    return new Watched(this.parts, this.worlds, world);
  }

  // Operations.

  private visitClient(state: State, i: number, emit: Emit): void {
    const stepped = this.clientStep(state, i);
    if (stepped === undefined || stepped.result.blocked) return;
    const { world, result } = stepped;
    const at = this.layout.clientsAt + i;
    const move = packMove({ who: 'client', index: i });
    if (result.crash !== undefined) return emit(move, undefined, { is: 'crash', crash: result.crash });
    const next = state.slice();
    next[WORLD] = world;
    const held = this.holdouts(state, result.waits);
    next[at] = this.once(result, held, () => this.clientAfter(this.clientOf(state, i), result, held));
    if (result.spawned.length > 0) this.addWorks(next, result.spawned);
    emit(move, next, isNews(result) ? { is: 'operation', client: i, step: result } : undefined);
  }

  /** What a client's next step does; undefined when it has none, or waits for a grace period. */
  private clientStep(state: State, i: number): Applied<Stepped> | undefined {
    const number = state[this.layout.clientsAt + i]!;
    const { frames, answers, holdouts } = this.clients.get(number);
    const script = this.scenario.clients[i]!;
    if (holdouts !== 0 || (frames === null && answers.length >= script.length)) return undefined;
    const who = `client#${i + 1}`;
    const steps = (this.clientSteps[number * this.layout.clients + i] ??= new Effects());
    return steps.in(this.worlds, state[WORLD]!, (parts) => {
      const watched = this.watch(parts);
      return frames === null
        ? this.operations.begin(watched, script[answers.length]!, who)
        : this.operations.goOn(watched, frames, who);
    });
  }

  /** A step of a client that changes only text which nobody comes to: it comes before everything else. */
  private visitUnseenChange(state: State, emit: Emit): boolean {
    if (this.worlds.part(this.worlds.get(state[WORLD]!)[this.pokePart]!) === null) return false;
    for (let i = 0; i < this.layout.clients; i++) {
      const step = this.clientStep(state, i);
      if (step === undefined || step.result.crash !== undefined || step.result.blocked) continue;
      if (!this.changesOnlyText(step.writes)) continue;
      const callers = Array.from({ length: this.layout.callers }, (_, j) => this.callerOf(state, j));
      if (!isChangedUnseen(this.kernelOf(state), callers, this.called)) return false;
      this.visitClient(state, i, emit);
      return true;
    }
    return false;
  }

  private changesOnlyText(writes: readonly number[]): boolean {
    for (let i = 0; i < writes.length; i += 2) if (!this.textParts.has(writes[i]!)) return false;
    return true;
  }

  private visitWorks(state: State, emit: Emit): void {
    const works = this.worksOf(state);
    for (let j = 0; j < works.length; j++)
      if (works[j]!.holdouts === 0) this.visitWork(state, works, j, emit);
  }

  private visitWork(state: State, works: readonly Work[], j: number, emit: Emit): void {
    const at = this.layout.worksAt;
    const { who, frames } = works[j]!;
    const steps = ((this.workSteps[state[at]!] ??= [])[j] ??= new Effects());
    const { world, result } = steps.in(this.worlds, state[WORLD]!, (parts) =>
      this.operations.goOn(this.watch(parts), frames, who),
    );
    if (result.blocked) return;
    const move = packMove({ who: 'work', index: j });
    if (result.crash !== undefined) return emit(move, undefined, { is: 'crash', crash: result.crash });
    const next = state.slice();
    next[WORLD] = world;
    const held = this.holdouts(state, result.waits);
    next[at] = this.once(result, held, () => this.worksAfter(works, j, result, held));
    if (result.spawned.length > 0) this.addWorks(next, result.spawned);
    emit(move, next, isNews(result) ? { is: 'work', step: result } : undefined);
  }

  /** What follows from a step and the callers that hold it up, worked out once. */
  private once(result: Stepped, held: number, workOut: () => number): number {
    let known = this.after.get(result);
    if (known === undefined) {
      known = [];
      this.after.set(result, known);
    }
    return (known[held] ??= workOut());
  }

  private clientAfter({ answers }: Client, { frames, waits, ended }: Stepped, holdouts: number): number {
    const all = this.isAnswer(ended) ? [...answers, ended] : answers;
    return this.clients.numberOf({ answers: all, frames, waits, holdouts });
  }

  /** Whether an operation has ended for good: a client may try once more. */
  isAnswer(ended: Ended | undefined): ended is Ended {
    return ended !== undefined && !(ended === 'EAGAIN' && this.scenario.retries === true);
  }

  private worksAfter(
    works: readonly Work[],
    j: number,
    { frames, waits }: Stepped,
    holdouts: number,
  ): number {
    const others = works.filter((_, other) => other !== j);
    if (frames !== null) others.push({ ...works[j]!, frames, waits, holdouts });
    return this.numberOfWorks(others);
  }

  private addWorks(state: State, spawned: readonly Work[]): void {
    const at = this.layout.worksAt;
    const added = spawned.map((work) => ({ ...work, holdouts: this.holdouts(state, work.waits) }));
    state[at] = this.numberOfWorks([...this.works.get(state[at]!), ...added]);
  }

  /** Work stands in the order of its spelling: which came first makes no difference. */
  private numberOfWorks(works: readonly Work[]): number {
    if (works.length < 2) return this.works.numberOf(works);
    const spelled = works.map((work) => [JSON.stringify(work), work] as const);
    spelled.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return this.works.numberOf(spelled.map(([, work]) => work));
  }

  // Grace periods.

  /** The callers that a grace period has to wait for which begins now, as a bit set. */
  private holdouts(state: State, flavour: Flavour | null): number {
    let all = 0;
    if (flavour === null) return all;
    for (let i = 0; i < this.layout.callers; i++) if (this.holdsUp(state, i, flavour)) all |= 1 << i;
    return all;
  }

  private holdsUp(state: State, i: number, flavour: Flavour): boolean {
    return isWaitedFor(flavour, {
      condition: conditionNamed(state[CALLERS + 2 * i + 1]!),
      current: this.callers.get(state[CALLERS + 2 * i]!)?.thread.current ?? nothingForbidden(),
      idle: this.scenario.callers[i]!.idle ?? false,
    });
  }

  /** A caller stands differently: grace periods that no longer have to wait for it do not. Changes the state. */
  private settle(state: State, i: number): State {
    const { clients, clientsAt, worksAt } = this.layout;
    for (let at = clientsAt; at < clientsAt + clients; at++) {
      const client = this.clients.get(state[at]!);
      const holdouts = this.stillHeld(state, i, client);
      if (holdouts !== client.holdouts) state[at] = this.clients.numberOf({ ...client, holdouts });
    }
    const works = this.works.get(state[worksAt]!);
    if (works.some((work) => this.stillHeld(state, i, work) !== work.holdouts))
      state[worksAt] = this.numberOfWorks(
        works.map((work) => ({ ...work, holdouts: this.stillHeld(state, i, work) })),
      );
    return state;
  }

  private stillHeld(state: State, i: number, { holdouts, waits }: Pick<Work, 'holdouts' | 'waits'>): number {
    if ((holdouts & (1 << i)) === 0 || this.holdsUp(state, i, waits!)) return holdouts;
    return holdouts & ~(1 << i);
  }

  // Callers.

  private visitCaller(state: State, i: number, emit: Emit): void {
    const at = CALLERS + 2 * i;
    const now = state[at + 1]!;
    const condition = conditionIn(now);
    if (condition === OVER) return;
    if (condition === RUNNING) return this.visitRunning(state, i, emit);
    const bound = processorIn(now);
    for (let cpu = 0; cpu < this.layout.processors; cpu++) {
      if ((bound >= 0 && bound !== cpu) || this.isTaken(state, cpu)) continue;
      const next = state.slice();
      const begins = condition === NOT_BEGUN;
      if (begins) next[at] = this.firsts[i]!;
      next[at + 1] = standing(RUNNING, cpu, begins ? this.endedSoFar(state) : sinceIn(now));
      const move = packMove({ who: 'caller', index: i, does: 'runs on', detail: cpu });
      emit(move, this.settle(next, i), undefined);
    }
  }

  private isTaken(state: State, cpu: number): boolean {
    for (let i = 0; i < this.layout.callers; i++) {
      const other = state[CALLERS + 2 * i + 1]!;
      if (conditionIn(other) === RUNNING && processorIn(other) === cpu) return true;
    }
    return false;
  }

  /** How many operations of each client have ended, as one number. */
  endedSoFar(state: State): number {
    let all = 0;
    for (let i = this.layout.clients - 1; i >= 0; i--)
      all = all * 8 + this.clients.get(state[this.layout.clientsAt + i]!).answers.length;
    return all;
  }

  private visitRunning(state: State, i: number, emit: Emit): void {
    const at = CALLERS + 2 * i;
    const number = state[at]!;
    const caller = this.callers.get(number)!;
    const cpu = processorIn(state[at + 1]!);
    const choices = (this.choices[number * this.layout.processors + cpu] ??= new Effects()).in(
      this.worlds,
      state[WORLD]!,
      (parts) => this.calls.choices(this.watch(parts), caller, cpu),
    ).result;
    const steps = (this.callSteps[number * this.layout.processors + cpu] ??= []);
    for (let choice = 0; choice < choices; choice++) {
      const { world, result } = (steps[choice] ??= new Effects()).in(this.worlds, state[WORLD]!, (parts) =>
        this.calls.goOn(this.watch(parts), caller, cpu, choice),
      );
      const move = packMove({ who: 'caller', index: i, does: 'goes on', detail: choice });
      if (result.is === 'crash') {
        emit(move, undefined, { is: 'crash', crash: result.crash });
        continue;
      }
      const next = state.slice();
      next[WORLD] = world;
      next[at] = this.callers.numberOf(result.is === 'on' ? result.caller : null);
      if (result.is === 'over') next[at + 1] = OVER;
      this.settle(next, i);
      if (result.is === 'on')
        emit(move, next, result.changing ? { is: 'fetched', int3: result.int3 } : this.runsProgram(state, i));
      else emit(move, next, { is: 'call over', caller: i, run: result.run, since: sinceIn(state[at + 1]!) });
    }
    const { preemptOff, migrateOff } = caller.thread.current;
    if (preemptOff > 0) return;
    const here = migrateOff > 0 ? cpu : -1;
    if (!this.reduce || this.isProcessorWanted(state, i)) this.leave(state, i, 'is preempted', here, emit);
    if (this.maySleep(state, number)) this.leave(state, i, 'sleeps', here, emit);
  }

  /** What a caller does, if it stands in front of a program. */
  private runsProgram(state: State, i: number): Event | undefined {
    const prog = this.programAt(state, i);
    if (prog === 0) return undefined;
    const cpu = processorIn(state[CALLERS + 2 * i + 1]!);
    let bodies = 0;
    for (let other = 0; other < this.layout.callers; other++)
      if (processorIn(state[CALLERS + 2 * other + 1]!) === cpu && this.programAt(state, other) === prog)
        bodies++;
    return { is: 'runs program', prog, bodies };
  }

  /** The number of the program that a caller is about to run; 0: it does something else. */
  private programAt(state: State, i: number): number {
    const number = state[CALLERS + 2 * i]!;
    const known = this.programs[number];
    if (known !== undefined) return known;
    const caller = this.callers.get(number);
    const stand = caller === null ? undefined : this.runner.standOf(this.kernelOf(state), caller);
    return (this.programs[number] = stand?.at === 'C function' ? stand.number : 0);
  }

  private leave(state: State, i: number, does: 'is preempted' | 'sleeps', here: number, emit: Emit): void {
    const at = CALLERS + 2 * i + 1;
    const next = state.slice();
    next[at] = standing(does === 'sleeps' ? ASLEEP : PREEMPTED, here, sinceIn(state[at]!));
    emit(packMove({ who: 'caller', index: i, does, detail: 0 }), this.settle(next, i), undefined);
  }

  /**
   * Whether anybody else could use the processor, or the task another one. If not, being kept from it is the same as
   * being slow on it.
   */
  private isProcessorWanted(state: State, i: number): boolean {
    for (let other = 0; other < this.layout.callers; other++) {
      const condition = conditionIn(state[CALLERS + 2 * other + 1]!);
      if (other !== i && condition !== OVER && condition !== RUNNING) return true;
    }
    const [[first, ...others]] = this.processorParts(state[WORLD]!);
    return others.some((view) => JSON.stringify(view) !== JSON.stringify(first));
  }

  private maySleep(state: State, number: number): boolean {
    return (this.sleeps[number] ??= maySleep(this.runner, this.kernelOf(state), this.callers.get(number)!));
  }
}

/** Whether laws may have a say about a step. */
function isNews({ ended, waits, warnings, freed }: Stepped): boolean {
  return ended !== undefined || waits !== null || warnings.length > 0 || freed.length > 0;
}

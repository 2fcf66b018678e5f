import type { Caller } from '../../model/call/caller.ts';
import { CallRunner } from '../../model/call/caller.ts';
import { PAGES_MOST } from '../../model/call/code-place.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Active } from '../../model/call/thread.ts';
import { takeActive } from '../../model/call/thread.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import type { Grain } from '../../model/task/advance.ts';
import type { Context } from '../../model/task/current.ts';
import { IRQ, NMI, SOFTIRQ, TASK } from '../../model/task/current.ts';
import { bootPerfEvents } from '../../model/tracepoint/perf-events.ts';
import type { CallerScript, Interruption, Scenario } from '../../properties/observed/scenario.ts';
import { INTERRUPTIONS } from '../../properties/observed/scenario.ts';
import { clientName, taskName } from './actor-names.ts';
import { CallMoves } from './call-moves.ts';
import { CallSteps, maySleep } from './calls.ts';
import type { Emit } from './event.ts';
import { GracePeriods } from './grace-periods.ts';
import { ImpossibleSetup } from './impossible-setup.ts';
import type { Move } from './move.ts';
import { OperationMoves } from './operation-moves.ts';
import type { Stepped } from './operations.ts';
import { IDLE_CLIENT, OperationSteps } from './operations.ts';
import { Preemption } from './preemption.ts';
import { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import { ASLEEP, layoutOf, NOT_BEGUN, PREEMPTED, standing } from './state.ts';
import { UnseenMoves } from './unseen-moves.ts';
import { WorldParts } from './world-parts.ts';

/** The grain of a space, and which states are merged. */
export interface SpaceOptions {
  readonly program?: KernelProgram;
  readonly grain?: Grain;
  /**
   * Leave out what makes no difference: unobservable moves are not postponed, and needless preemption is left out.
   * Default: yes.
   */
  readonly reduce?: boolean;
  /** States that differ only in names are merged. Default: yes. */
  readonly symmetric?: boolean;
  /** States that differ only in the order of a table where that says nothing are not merged. Default: they are. */
  readonly keepsOrder?: boolean;
}

/** An actor that may have a move in a state. */
export interface Actor {
  readonly who: string;
  readonly kind: 'client' | 'work' | 'caller';
  readonly index: number;
}

/**
 * The states of a scenario and the moves between them. The effect of a step is computed once for the parts of the
 * world that it reads; states consist of numbers of parts.
 */
export class Space extends SpaceTables {
  readonly runner: CallRunner;
  readonly program: KernelProgram;
  readonly grain: Grain;
  readonly symmetric: boolean;
  readonly grace: GracePeriods;
  private readonly boot: Kernel;
  private readonly none: number;
  /** For each caller, its number and its condition before any actor begins. */
  private readonly starts: (readonly [number, number])[];
  /** The programs that run on the first CPU then. */
  private readonly active: Active;
  private readonly reduce: boolean;
  private readonly operations: OperationMoves;
  private readonly calls: CallMoves;
  private readonly unseen: UnseenMoves;

  constructor(
    readonly scenario: Scenario,
    {
      program = KERNEL_PROGRAM,
      grain = 'visible',
      reduce = true,
      symmetric = true,
      keepsOrder = false,
    }: SpaceOptions = {},
  ) {
    const boot = bootScenario(scenario, program);
    super(layoutOf(scenario), new WorldParts(boot, keepsOrder));
    this.boot = boot;
    this.program = program;
    this.grain = grain;
    this.reduce = reduce;
    this.symmetric = symmetric;
    this.runner = new CallRunner(scenario.functions, program, grain);
    const preemption = new Preemption(profileNamed(scenario.profile).preemption, this, this.runner);
    this.grace = new GracePeriods(scenario, this, preemption);
    const operations = new OperationSteps(program, grain, this.parts);
    const steps = new CallSteps(this.runner, operations, this.parts);
    this.none = this.callers.numberOf(null);
    this.starts = scenario.callers.map((caller) => this.startOf(steps, caller));
    this.active = takeActive(boot);
    const firsts = scenario.callers.map(({ call, idle }) => {
      const first = steps.inFrontOfSite(boot, call);
      return this.callers.numberOf(idle === true ? unpreemptible(first) : first);
    });
    const interrupts = scenario.callers.map((script) =>
      INTERRUPTIONS.map((kind, nth) => {
        const request = script[kind];
        return request && interrupting(steps.inFrontOfSite(boot, request), kind, nth);
      }),
    );
    this.calls = new CallMoves(this, this.runner, steps, this.grace, preemption, firsts, interrupts, reduce);
    this.operations = new OperationMoves(scenario, this, operations, this.grace);
    this.unseen = new UnseenMoves(scenario, this, this.operations, program);
  }

  private startOf(steps: CallSteps, { call, startsAt }: CallerScript): readonly [number, number] {
    if (startsAt === undefined) return [this.none, NOT_BEGUN];
    const caller = steps.broughtTo(this.boot, call, startsAt.place);
    const cpu = caller.thread.current.migrateOff > 0 ? 0 : -1;
    const condition = startsAt.condition === 'asleep' ? ASLEEP : PREEMPTED;
    const { preemption } = profileNamed(this.scenario.profile);
    if (condition === PREEMPTED && preemption !== 'full' && !maySleep(this.runner, this.boot, caller))
      throw new ImpossibleSetup(`with preempt=${preemption} no task is preempted at ${startsAt.place}`);
    return [this.callers.numberOf(caller), standing(condition, cpu, 0)];
  }

  /** Whether all actors have finished. */
  hasFinished(state: PackedState): boolean {
    return this.hasFinishedIn(this.scenario, state);
  }

  /** The state after the setup, before any actor begins. */
  initial(): PackedState {
    const { clients, cpus } = this.scenario;
    const active = Array.from({ length: cpus }, (_, cpu) => (cpu === 0 ? this.active : {}));
    const parts = [...this.parts.split(this.boot), active];
    return [
      this.worlds.numberOf(parts.map((part, i) => this.worlds.partNumber(this.parts.inOrder(i, part)))),
      ...this.starts.flat(),
      ...clients.map(() => this.clients.numberOf(IDLE_CLIENT)),
      this.works.numberOf([]),
    ];
  }

  visit(state: PackedState, emit: Emit): void {
    if (this.visitOnly(state, emit)) return;
    const { clients, callers } = this.layout;
    for (let i = 0; i < clients; i++) this.operations.visitClient(state, i, emit);
    this.operations.visitWorks(state, emit);
    for (let i = 0; i < callers; i++) this.calls.visit(state, i, emit);
  }

  /** Emits the move that a reduction leaves as the only one of a state; answers whether there was one. */
  visitOnly(state: PackedState, emit: Emit): boolean {
    return this.reduce && this.unseen.visit(state, emit);
  }

  /** The actors that may have a move in a state: clients, background work by its name, tasks that call. */
  actors(state: PackedState): Actor[] {
    const { clients, callers } = this.layout;
    const all: Actor[] = [];
    for (let i = 0; i < clients; i++) all.push({ who: clientName(i), kind: 'client', index: i });
    this.worksOf(state).forEach(({ who }, i) => {
      all.push({ who, kind: 'work', index: i });
    });
    for (let i = 0; i < callers; i++) all.push({ who: taskName(i), kind: 'caller', index: i });
    return all;
  }

  /** The effect of a move of a client or of background work; undefined: it belongs to a task in its call. */
  stepOf(state: PackedState, { who, index }: Move): Stepped | undefined {
    if (who === 'client') return this.operations.clientStep(state, index)?.result.step;
    if (who === 'work') return this.operations.workStep(state, this.worksOf(state), index).result.step;
    return undefined;
  }

  /** The moves of one of them. */
  visitActor(state: PackedState, { kind, index }: Omit<Actor, 'who'>, emit: Emit): void {
    if (kind === 'client') this.operations.visitClient(state, index, emit);
    else if (kind === 'caller') this.calls.visit(state, index, emit);
    else if (item(this.worksOf(state), index).holdouts === 0)
      this.operations.visitWork(state, this.worksOf(state), index, emit);
  }
}

/** The idle task runs with preemption off (init_idle_preempt_count()). */
function unpreemptible(caller: Caller): Caller {
  const { current } = caller.thread;
  const forbidden = { ...current, preemptOff: current.preemptOff + 1 };
  return { ...caller, thread: { ...caller.thread, current: forbidden } };
}

/** `interrupt_context_level()` of the calls that they make. */
const CONTEXTS: Readonly<Record<Interruption, Context>> = {
  interrupt: IRQ,
  earlyInterrupt: TASK,
  nmi: NMI,
  softInterrupt: SOFTIRQ,
};

function interrupting(caller: Caller, kind: Interruption, nth: number): Caller {
  const { thread } = caller;
  const current = { ...thread.current, context: CONTEXTS[kind], early: kind === 'earlyInterrupt' };
  return { ...caller, thread: { ...thread, current }, by: 1 << nth };
}

/** A kernel after the setup, when all background work has ended. */
function bootScenario(scenario: Scenario, program: KernelProgram): Kernel {
  const { profile, functions, tracepoints = [], setup, cpus } = scenario;
  const k = bootKernel({ profile, boot: 'default', functions, tracepoints, cpus });
  for (const [i, action] of [...setup, { do: 'settle' } as const].entries()) {
    const { errno, died } = apply(k, action, program);
    if (died !== undefined)
      throw new ImpossibleSetup(`the setup fails: ${action.do} crashes the kernel, ${crashText(died)}`, i);
    if (errno !== 0) throw new ImpossibleSetup(`the setup fails: ${action.do} answers ${errno}`, i);
  }
  // Perf events come with the first one on a kprobe; the parts of a world are those that it has from the start.
  k.perf ??= bootPerfEvents([]);
  k.warnings = [];
  k.text.pagesUsed = PAGES_MOST / 2;
  k.text.views = Array.from({ length: cpus }, () => ({}));
  return k;
}

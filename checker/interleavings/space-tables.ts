import type { Active } from '../../model/call/thread.ts';
import { compareText } from '../../model/core/text-order.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { Aspects } from './aspects.ts';
import { Callers } from './callers.ts';
import type { CallerPart, ClientParts, Work } from './parts.ts';
import type { EndedCounts, PackedState, StateLayout } from './state.ts';
import {
  callerIn,
  clientIn,
  conditionIn,
  OVER,
  packCounts,
  RUNNING,
  standingIn,
  worksIn,
  worldIn,
} from './state.ts';
import { Table } from './table.ts';
import type { WorldParts } from './world-parts.ts';
import { Worlds } from './worlds.ts';

/** The meaning of the numbers of states. */
export class SpaceTables {
  readonly worlds = new Worlds();
  readonly aspects: Aspects;
  readonly callers = new Callers();
  readonly clients = new Table<ClientParts>();
  readonly works = new Table<readonly Work[]>();
  private readonly viewsPart: number;
  /** By the number of the views: whether CPUs see other text than others. */
  private readonly differing: boolean[] = [];
  /** The latest world of which a kernel was asked for, and that: several questions about a state follow each other. */
  private latest: { readonly world: number; readonly kernel: Kernel } | undefined;

  constructor(
    readonly layout: StateLayout,
    readonly parts: WorldParts,
  ) {
    // A world has one part more than its kernel: what its CPUs count.
    this.aspects = new Aspects(this.worlds, parts.count + 1);
    this.viewsPart = parts.numberOf('text.views');
  }

  /** The kernel of a state, to be read. */
  kernelOf(state: PackedState): Kernel {
    const world = worldIn(state);
    if (this.latest?.world !== world)
      this.latest = { world, kernel: this.parts.join(this.worlds.partsOf(this.worlds.get(world))) };
    return this.latest.kernel;
  }

  callerOf(state: PackedState, i: number): CallerPart {
    return this.callers.get(callerIn(state, i));
  }

  clientOf(state: PackedState, i: number): ClientParts {
    return this.clients.get(clientIn(state, this.layout, i));
  }

  /** The part of a world that is not its kernel's: for each CPU, the programs that run on it. */
  get runningPart(): number {
    return this.parts.count;
  }

  /** The same in a state. */
  runningOn(state: PackedState): readonly Active[] {
    return this.cpusOf(worldIn(state))[1];
  }

  /** Whether all actors have finished. */
  hasFinishedIn({ clients, callers }: Scenario, state: PackedState): boolean {
    return (
      clients.every((script, i) => this.clientOf(state, i).answers.length === script.length) &&
      callers.every((_, i) => conditionIn(standingIn(state, i)) === OVER) &&
      this.worksOf(state).length === 0
    );
  }

  worksOf(state: PackedState): readonly Work[] {
    return this.works.get(worksIn(state, this.layout));
  }

  /** The numbers of all clients of a state. */
  clientNumbers(state: PackedState): number[] {
    return state.slice(this.layout.clientsAt, this.layout.worksAt);
  }

  /** Whether a call is in progress. */
  isInCall(state: PackedState): boolean {
    for (let i = 0; i < this.layout.callers; i++)
      if (conditionIn(standingIn(state, i)) >= RUNNING) return true;
    return false;
  }

  /** How many operations of each client have ended. */
  endedSoFar(state: PackedState): EndedCounts {
    return packCounts(this.layout.clients, (i) => this.clientOf(state, i).answers.length);
  }

  /** Work is in the order of its spelling: the order of its creation makes no difference. */
  numberOfWorks(works: readonly Work[]): number {
    if (works.length < 2) return this.works.numberOf(works);
    const spelled = works.map((work) => [JSON.stringify(work), work] as const);
    spelled.sort(([a], [b]) => compareText(a, b));
    return this.works.numberOf(spelled.map(([, work]) => work));
  }

  /** One part of a state's world. */
  partOf(state: PackedState, part: number): unknown {
    return this.worlds.part(this.partNumber(state, part));
  }

  /** The number of one part of a state's world. */
  partNumber(state: PackedState, part: number): number {
    return this.worlds.get(worldIn(state))[part]!;
  }

  /** The view of each CPU, and the programs that run on it. */
  cpusOf(world: number): [Kernel['text']['views'], readonly Active[]] {
    const parts = this.worlds.get(world);
    const views = this.worlds.part(parts[this.viewsPart]!) as Kernel['text']['views'];
    return [views, this.worlds.part(parts[this.parts.count]!) as readonly Active[]];
  }

  /** Whether a CPU of a world may fetch other text than another one. */
  viewsDiffer(world: number): boolean {
    const number = this.worlds.get(world)[this.viewsPart]!;
    const known = this.differing[number];
    if (known !== undefined) return known;
    const [first, ...others] = (this.worlds.part(number) as Kernel['text']['views']).map((view) =>
      JSON.stringify(view),
    );
    const found = others.some((other) => other !== first);
    this.differing[number] = found;
    return found;
  }

  /** The same as text, for each CPU. */
  spellCpus(world: number): string[] {
    const [views, active] = this.cpusOf(world);
    return views.map((view, cpu) => JSON.stringify([view, active[cpu]]));
  }

  /** For each client and each background work, the callers that its grace period waits for, as a bit set. */
  allHoldouts(state: PackedState): number[] {
    const clients = this.clientNumbers(state).map((client) => this.clients.get(client).holdouts);
    return [...clients, ...this.worksOf(state).map(({ holdouts }) => holdouts)];
  }

  /** A world with its CPUs in another order. */
  worldWithCpus(world: number, order: readonly number[]): number {
    const [views, active] = this.cpusOf(world);
    const after = this.worlds.get(world).slice();
    after[this.viewsPart] = this.worlds.partNumber(order.map((from) => views[from]));
    after[this.parts.count] = this.worlds.partNumber(order.map((from) => active[from]));
    return this.worlds.numberOf(after);
  }
}

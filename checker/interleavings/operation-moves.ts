import type { Ended } from '../../model/core/world.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { clientName } from './actor-names.ts';
import type { Applied, Effect } from './effects.ts';
import { Effects } from './effects.ts';
import type { Emit, TaskEvent } from './event.ts';
import type { GracePeriods } from './grace-periods.ts';
import { packMove } from './move.ts';
import { needsOf } from './needs.ts';
import type { OperationSteps, Stepped } from './operations.ts';
import type { ClientParts, Work } from './parts.ts';
import type { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import { clientIn, WORLD, worksIn, worldIn } from './state.ts';
import { Table } from './table.ts';
import { Watched } from './watched.ts';

/** The moves of clients and of background work: one step each. */
export class OperationMoves {
  private readonly clientSteps: Effects<Next>[] = [];
  /** By background work, whatever else is under way: its name and its frames decide its next step. */
  private readonly workSteps: Effects<Next>[] = [];
  private readonly works = new Table<Pick<Work, 'who' | 'frames'>>();
  /** The number of each work of a list, by the list's number. */
  private readonly worksIn: number[][] = [];
  private readonly moves: readonly number[];
  private readonly names: readonly string[];
  private readonly needs: ReturnType<typeof needsOf>;

  constructor(
    private readonly scenario: Scenario,
    private readonly tables: SpaceTables,
    private readonly operations: OperationSteps,
    private readonly grace: GracePeriods,
  ) {
    this.moves = scenario.clients.map((_, index) => packMove({ who: 'client', index }));
    this.names = scenario.clients.map((_, i) => clientName(i));
    this.needs = needsOf(scenario);
  }

  visitClient(state: PackedState, i: number, emit: Emit): void {
    const applied = this.clientStep(state, i);
    if (applied === undefined) return;
    this.make(state, applied, this.tables.layout.clientsAt + i, 0, this.moves[i]!, emit);
  }

  /**
   * A client's next step; undefined when it has none, or waits for a grace period, or for another client's object.
   */
  clientStep(state: PackedState, i: number): Applied<Next> | undefined {
    const { tables } = this;
    const { clients, layout } = tables;
    const number = clientIn(state, layout, i);
    const { frames, answers, holdouts } = clients.get(number);
    const script = this.scenario.clients[i]!;
    if (holdouts !== 0 || (frames === null && answers.length >= script.length)) return undefined;
    if (frames === null && this.needs !== undefined && this.lacks(state, i, answers.length)) return undefined;
    const who = this.names[i]!;
    const steps = (this.clientSteps[number * layout.clients + i] ??= new Effects());
    const world = worldIn(state);
    const known = steps.in(tables, world);
    if (known !== undefined) return known;
    const watched = new Watched(tables, tables.worlds.get(world));
    const effect =
      frames === null
        ? this.operations.begin(watched, script[answers.length]!, who)
        : this.operations.goOn(watched, frames, who);
    return steps.addIn(
      tables,
      world,
      nextOf(effect, (step) => ({ is: 'operation', client: i, step })),
    );
  }

  /** Whether another client has yet to create an object of a client's next operation. */
  private lacks(state: PackedState, i: number, nth: number): boolean {
    return this.needs![i]![nth]!.some(
      ([maker, operation]) => this.tables.clientOf(state, maker).answers.length <= operation,
    );
  }

  visitWorks(state: PackedState, emit: Emit): void {
    const works = this.tables.worksOf(state);
    for (let j = 0; j < works.length; j++)
      if (works[j]!.holdouts === 0) this.visitWork(state, works, j, emit);
  }

  visitWork(state: PackedState, works: readonly Work[], j: number, emit: Emit): void {
    const applied = this.workStep(state, works, j);
    this.make(state, applied, this.tables.layout.worksAt, j, packMove({ who: 'work', index: j }), emit);
  }

  /** The next step of background work. */
  workStep(state: PackedState, works: readonly Work[], j: number): Applied<Next> {
    const { tables } = this;
    const { who, frames } = works[j]!;
    const own = ((this.worksIn[worksIn(state, tables.layout)] ??= [])[j] ??= this.works.numberOf({
      who,
      frames,
    }));
    const steps = (this.workSteps[own] ??= new Effects());
    const world = worldIn(state);
    const known = steps.in(tables, world);
    if (known !== undefined) return known;
    const effect = this.operations.goOn(new Watched(tables, tables.worlds.get(world)), frames, who);
    return steps.addIn(
      tables,
      world,
      nextOf(effect, (step) => ({ is: 'work', step })),
    );
  }

  /** Emits the move of a step of the actor with a place in the state: a client, or the nth background work. */
  private make(
    state: PackedState,
    { world, result: { step, event, after } }: Applied<Next>,
    place: number,
    nth: number,
    move: number,
    emit: Emit,
  ): void {
    if (step.blocked) return;
    if (step.crash !== undefined) return emit(move, undefined, event);
    const next = state.slice();
    next[WORLD] = world;
    const held = this.grace.holdouts(state, step.waits);
    const number = state[place]!;
    const key = (number * WORKS_MOST + nth) * 2 ** this.tables.layout.callers + held;
    let own = after.get(key);
    if (own === undefined) after.set(key, (own = this.after(number, place, nth, step, held)));
    next[place] = own;
    this.grace.start(next, step.spawned);
    emit(move, next, event);
  }

  private after(number: number, place: number, nth: number, step: Stepped, held: number): number {
    const { layout, clients, works } = this.tables;
    return place === layout.worksAt
      ? this.worksAfter(works.get(number), nth, step, held)
      : this.clientAfter(clients.get(number), step, held);
  }

  private clientAfter({ answers }: ClientParts, { frames, waits, ended }: Stepped, holdouts: number): number {
    const all = isAnswer(this.scenario, ended) ? [...answers, ended] : answers;
    return this.tables.clients.numberOf({ answers: all, frames, waits, holdouts });
  }

  private worksAfter(
    works: readonly Work[],
    j: number,
    { frames, waits }: Stepped,
    holdouts: number,
  ): number {
    const others = works.filter((_, other) => other !== j);
    if (frames !== null) others.push({ ...works[j]!, frames, waits, holdouts });
    return this.tables.numberOfWorks(others);
  }
}

/** More background work than the few clients of a scenario can leave. */
const WORKS_MOST = 4096;

/** A step, with its event for laws. */
interface Next {
  readonly step: Stepped;
  readonly event: TaskEvent | undefined;
  /**
   * The number of its client, or of the list of background work, afterwards: by the number before, the place in the list
   * and the callers that delay it, as one number.
   */
  readonly after: Map<number, number>;
}

function nextOf(
  { reads, writes, result: step }: Effect<Stepped>,
  told: (step: Stepped) => TaskEvent,
): Effect<Next> {
  const { crash } = step;
  const event: TaskEvent | undefined =
    crash !== undefined ? { is: 'crash', crash } : isNews(step) ? told(step) : undefined;
  return { reads, writes, result: { step, event, after: new Map() } };
}

/** Whether an operation has ended for good: a client may retry. */
export function isAnswer({ retries }: Scenario, ended: Ended | undefined): ended is Ended {
  return ended !== undefined && !(ended === 'EAGAIN' && retries === true);
}

/** Whether laws may apply to a step. */
function isNews({ ended, waits, warnings, freed, unlocked }: Stepped): boolean {
  const happened = warnings.length + freed.length + unlocked.length;
  return ended !== undefined || waits !== null || happened > 0;
}

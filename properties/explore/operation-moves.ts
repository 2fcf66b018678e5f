import type { Ended } from '../../model/core/world.ts';
import type { Applied } from './effects.ts';
import { Effects } from './effects.ts';
import type { Emit } from './event.ts';
import type { GracePeriods } from './grace-periods.ts';
import { packMove } from './move.ts';
import type { OperationSteps, Stepped } from './operations.ts';
import type { Client, Work } from './parts.ts';
import type { Scenario } from './scenario.ts';
import type { SpaceTables } from './space-tables.ts';
import type { State } from './state.ts';
import { WORLD } from './state.ts';
import { Watched } from './watched.ts';

/** The moves of clients and of background work: one step each. */
export class OperationMoves {
  private readonly clientSteps: Effects<Stepped>[] = [];
  private readonly workSteps: Effects<Stepped>[][] = [];
  private readonly after = new WeakMap<Stepped, number[]>();
  private readonly moves: readonly number[];

  constructor(
    private readonly scenario: Scenario,
    private readonly tables: SpaceTables,
    private readonly operations: OperationSteps,
    private readonly grace: GracePeriods,
  ) {
    this.moves = scenario.clients.map((_, index) => packMove({ who: 'client', index }));
  }

  visitClient(state: State, i: number, emit: Emit): void {
    const stepped = this.clientStep(state, i);
    if (stepped === undefined || stepped.result.blocked) return;
    const { world, result } = stepped;
    const move = this.moves[i]!;
    if (result.crash !== undefined) return emit(move, undefined, { is: 'crash', crash: result.crash });
    const next = state.slice();
    next[WORLD] = world;
    const held = this.grace.holdouts(state, result.waits);
    const at = this.tables.layout.clientsAt + i;
    next[at] = this.once(result, held, () => this.clientAfter(this.tables.clientOf(state, i), result, held));
    this.grace.start(next, result.spawned);
    emit(move, next, isNews(result) ? { is: 'operation', client: i, step: result } : undefined);
  }

  /** What a client's next step does; undefined when it has none, or waits for a grace period. */
  clientStep(state: State, i: number): Applied<Stepped> | undefined {
    const { clients, worlds, parts, layout } = this.tables;
    const number = state[layout.clientsAt + i]!;
    const { frames, answers, holdouts } = clients.get(number);
    const script = this.scenario.clients[i]!;
    if (holdouts !== 0 || (frames === null && answers.length >= script.length)) return undefined;
    const who = `client#${i + 1}`;
    const steps = (this.clientSteps[number * layout.clients + i] ??= new Effects());
    return steps.in(worlds, state[WORLD]!, (world) => {
      const watched = new Watched(parts, worlds, world);
      return frames === null
        ? this.operations.begin(watched, script[answers.length]!, who)
        : this.operations.goOn(watched, frames, who);
    });
  }

  visitWorks(state: State, emit: Emit): void {
    const works = this.tables.worksOf(state);
    for (let j = 0; j < works.length; j++)
      if (works[j]!.holdouts === 0) this.visitWork(state, works, j, emit);
  }

  visitWork(state: State, works: readonly Work[], j: number, emit: Emit): void {
    const { worlds, parts, layout } = this.tables;
    const at = layout.worksAt;
    const { who, frames } = works[j]!;
    const steps = ((this.workSteps[state[at]!] ??= [])[j] ??= new Effects());
    const { world, result } = steps.in(worlds, state[WORLD]!, (one) =>
      this.operations.goOn(new Watched(parts, worlds, one), frames, who),
    );
    if (result.blocked) return;
    const move = packMove({ who: 'work', index: j });
    if (result.crash !== undefined) return emit(move, undefined, { is: 'crash', crash: result.crash });
    const next = state.slice();
    next[WORLD] = world;
    const held = this.grace.holdouts(state, result.waits);
    next[at] = this.once(result, held, () => this.worksAfter(works, j, result, held));
    this.grace.start(next, result.spawned);
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

/** Whether an operation has ended for good: a client may try once more. */
export function isAnswer({ retries }: Scenario, ended: Ended | undefined): ended is Ended {
  return ended !== undefined && !(ended === 'EAGAIN' && retries === true);
}

/** Whether laws may have a say about a step. */
function isNews({ ended, waits, warnings, freed }: Stepped): boolean {
  return ended !== undefined || waits !== null || warnings.length > 0 || freed.length > 0;
}

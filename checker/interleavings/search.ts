import { addTo } from '../../model/core/add-to.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { ChunkLog, ChunkPart } from './cores/chunk.ts';
import { ENTRY_HEAD, WHOLE } from './cores/chunk.ts';
import type { Chunking, Helper } from './cores/shared-chunks.ts';
import { Helpers } from './cores/shared-chunks.ts';
import type { Emit } from './event.ts';
import type { BreachPlace, FoundBreach, Naming } from './findings.ts';
import { Findings } from './findings.ts';
import type { TaskBreach } from './judge.ts';
import { Judge } from './judge.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { treeOf } from './state.ts';
import { Store } from './store.ts';
import { Symmetry } from './symmetry.ts';

/** The parameters of a search. */
export interface Exploration extends Naming {
  readonly laws: readonly TaskLaw[];
  /** Moves from the first state at most. */
  readonly depth?: number;
  /** States that are kept at most. */
  readonly states?: number;
}

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  /** Moves to the farthest state that was visited. */
  readonly depth: number;
  /** States without a move. */
  readonly ends: number;
  readonly bytes: number;
  /** Every state within the bound was visited. */
  readonly complete: boolean;
  /** The bound on preemptions has left out moves. */
  readonly leftOut: boolean;
  readonly breaches: readonly FoundBreach[];
  readonly witnesses: ReadonlyMap<string, number>;
}

/** Visits all states of a space, breadth first. */
export function explore(space: Space, exploration: Exploration): Explored {
  const search = new InterleavingSearch(space, exploration);
  search.goOn(Number.POSITIVE_INFINITY);
  return search.explored();
}

/** The progress of a search. */
export interface Progress {
  /** Number of the next state to visit. */
  at: number;
  /** Moves that were explored. */
  transitions: number;
  /** States without a move. */
  ends: number;
  /** Moves from the first state to the next one, and the number of the first state that is farther away. */
  level: number;
  levelEnd: number;
  /** A breach has ended it. */
  stopped: boolean;
  /** It has reached its bound. */
  bounded: boolean;
}

/** That of a search of which only the first state is known. */
export function notBegun(): Progress {
  return { at: 0, transitions: 0, ends: 0, level: 0, levelEnd: 1, stopped: false, bounded: false };
}

/** A search that can be interrupted and resumed, some states at a time. */
export class InterleavingSearch {
  readonly store: Store;
  readonly findings: Findings;
  readonly progress = notBegun();
  readonly judge: Judge;
  private readonly symmetry: Symmetry;
  private readonly helpers: Helpers;
  /** The state that is visited, and its number. */
  private state: PackedState = [];
  private index = 0;
  /** A state from a log. */
  private readonly row: PackedState;
  /** Moves from the first state, and states, at most. */
  private readonly depth: number;
  private readonly states: number;

  constructor(
    private readonly space: Space,
    exploration: Exploration,
    chunking?: Chunking,
  ) {
    this.depth = exploration.depth ?? 1e9;
    this.states = exploration.states ?? 3e7;
    this.row = Array.from({ length: space.layout.width }, () => 0);
    this.store = new Store(space.layout.width, treeOf(space.layout));
    this.helpers = new Helpers(space, this.store, chunking);
    this.judge = new Judge(space, exploration.laws, space.program);
    this.symmetry = new Symmetry(space);
    this.findings = new Findings(space, this.store, exploration);
    this.store.add(this.symmetry.merged(space.initial()), -1, 0);
  }

  /** Visits some more states, or a chunk more; answers whether others are left within the bound. */
  goOn(most: number): boolean {
    const { progress } = this;
    const last = progress.at + most;
    while (this.isLeft() && progress.at < last) {
      const log = this.helpers.logFrom(progress.at);
      if (log === undefined) this.lookAtNext();
      else this.take(log);
    }
    return this.isLeft();
  }

  /** Another thread visits states for it: it finds the same. */
  helpedBy(helper: Helper): void {
    this.helpers.join(helper);
  }

  /** It needs its helpers no more. */
  dismiss(): void {
    this.helpers.end();
  }

  private lookAtNext(): void {
    const { progress } = this;
    this.passLevel();
    progress.bounded = progress.level >= this.depth || this.store.size >= this.states;
    if (!progress.bounded) this.look(progress.at++);
  }

  private passLevel(): void {
    const { progress, store } = this;
    if (progress.at !== progress.levelEnd) return;
    progress.level++;
    progress.levelEnd = store.size;
  }

  /** Stores what a helper has found. A part that may not be within the bounds is visited here, with all after it. */
  private take({ entries, parts }: ChunkLog): void {
    let place = 0;
    for (const part of parts) {
      if (!this.isWithin(part)) return;
      for (let i = 0; i < part.states; i++) place = this.takeState(entries, place);
      for (const [law, times] of part.witnesses) addTo(this.judge.witnesses, law, times);
      for (const pc of part.executed) this.space.program.executed[pc] = 1;
      if (part.leaves) this.lookAtNext();
      if (!this.isLeft()) return;
    }
  }

  /** Whether no bound can be reached before its last state, or before the one after it that it leaves. */
  private isWithin({ states, rows, leaves }: ChunkPart): boolean {
    const { at: index, level, levelEnd } = this.progress;
    const end = index + states + (leaves ? 1 : 0);
    return this.store.size + rows < this.states && (end <= levelEnd || level + 1 < this.depth);
  }

  /** Stores the successors of one state; answers where the next entry begins. */
  private takeState(entries: Int32Array, start: number): number {
    const { progress, store, row } = this;
    this.passLevel();
    const from = progress.at++;
    const moves = entries[start]!;
    progress.transitions += moves;
    if (moves === 0) progress.ends++;
    let place = start + ENTRY_HEAD;
    for (let rows = entries[start + 1]!; rows > 0; rows--) {
      const move = entries[place++]!;
      const left = entries[place++]!;
      if (left !== WHOLE) store.addHalves(left, entries[place++]!, from, move);
      else {
        for (let i = 0; i < row.length; i++) row[i] = entries[place++]!;
        store.add(row, from, move);
      }
    }
    return place;
  }

  private isLeft(): boolean {
    const { at: index, stopped, bounded } = this.progress;
    return index < this.store.size && !stopped && !bounded;
  }

  private look(index: number): void {
    const { progress } = this;
    const { transitions } = progress;
    this.index = index;
    this.state = this.store.get(index);
    this.space.visit(this.state, this.emit);
    if (progress.transitions > transitions) return;
    progress.ends++;
    const breach = this.judge.final(this.state);
    if (breach !== undefined) this.note(breach, { from: index });
  }

  /** A move from the state that is visited. */
  private readonly emit: Emit = (move, next, event) => {
    const { progress, index } = this;
    progress.transitions++;
    const breach =
      event === undefined || progress.stopped ? undefined : this.judge.event(this.state, next, event);
    if (breach !== undefined) this.note(breach, { from: index, move, next });
    if (next !== undefined) this.store.add(this.symmetry.merged(next), index, move);
  };

  private note(breach: TaskBreach, place: BreachPlace): void {
    if (this.findings.note(breach, place)) this.progress.stopped = true;
  }

  /** Its results so far. */
  explored(): Explored {
    const { at: index, transitions, ends, level, stopped } = this.progress;
    return {
      states: this.store.size,
      transitions,
      depth: level,
      ends,
      bytes: this.store.bytes,
      complete: !stopped && index === this.store.size,
      leftOut: false,
      breaches: [...this.findings.breaches.values()],
      witnesses: this.judge.witnesses,
    };
  }
}

import type { TaskEvent } from './event.ts';
import type { BreachPlace } from './findings.ts';
import { Findings } from './findings.ts';
import type { TaskBreach } from './judge.ts';
import { Judge } from './judge.ts';
import type { SavedNodes } from './nodes.ts';
import { ALL, Nodes } from './nodes.ts';
import type { PreemptionPlace } from './preemption-levels.ts';
import { PreemptionLevels, STATES, SWITCHES } from './preemption-levels.ts';
import { NONE, Runners } from './runners.ts';
import type { Exploration, Explored } from './search.ts';
import { notBegun } from './search.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { treeOf } from './state.ts';
import { Store } from './store.ts';
import { Symmetry } from './symmetry.ts';

/*
 * All schedules within a bound on preemptions (iterative context bounding, Musuvathi and Qadeer 2007): first those
 * without any, then those with one, and so on.
 *
 * A move of another actor than the last one is a preemption if the last one still has a move itself; a task that
 * sleeps has given up its CPU. A node is a state, and who has run last.
 *
 * ```text
 *   (s, A), n preemptions     a move of A                (s', A), n
 *                             a move of B, A has none    (s', B), n
 *                             a move of B, A has one     (s', B), n + 1
 * ```
 *
 * Whatever is possible from (s, B) with n + 1 takes no more preemptions from (s, A) with n: a state that was found with fewer
 * preemptions needs no other node. So each move of each state is explored once, as in a search without a bound: those of the
 * last actor at once, those of the others when the next preemption is due.
 *
 * Where a reduction leaves one move that nothing can see, it is no switch: it can be made before, after or between the
 * moves of any other actor, and enables or disables none of them. Moves that are left out or fused as needless are
 * followed by their own actor's next one in the schedule that remains, so that no preemption is added either.
 */

/** A bound on preemptions instead of moves. */
export interface BoundedExploration extends Omit<Exploration, 'depth'> {
  readonly preemptions: number;
}

/** A bounded search, as plain data: its place and its nodes. */
export interface SavedBound {
  readonly place: PreemptionPlace;
  readonly nodes: SavedNodes;
}

/** A search for all states within a bound on preemptions; it can be interrupted and resumed. */
export class BoundedSearch {
  readonly store: Store;
  readonly findings: Findings;
  readonly judge: Judge;
  readonly progress = notBegun();
  private readonly nodes: Nodes;
  private readonly runners: Runners;
  private readonly symmetry: Symmetry;
  private readonly levels: PreemptionLevels;

  constructor(
    private readonly space: Space,
    private readonly exploration: BoundedExploration,
  ) {
    this.store = new Store(space.layout.width, treeOf(space.layout));
    this.nodes = new Nodes(this.store);
    this.levels = new PreemptionLevels(this.nodes, exploration.preemptions);
    this.runners = new Runners(space);
    this.judge = new Judge(space, exploration.laws, space.program);
    this.findings = new Findings(space, this.nodes, exploration);
    this.symmetry = new Symmetry(space);
    this.nodes.add(this.symmetry.merged(space.initial()), 0, -1, 0, NONE);
  }

  /** Visits some more nodes; answers whether others are left within the bound. */
  goOn(most: number): boolean {
    const { states = 3e7 } = this.exploration;
    for (let visited = 0; visited < most && this.isLeft(); ) {
      if (this.store.size >= states) this.progress.bounded = true;
      else if (this.exploreNext()) visited++;
    }
    return this.isLeft();
  }

  private isLeft(): boolean {
    return !this.levels.place.over && !this.progress.stopped && !this.progress.bounded;
  }

  /** Answers whether there was one in this part. */
  private exploreNext(): boolean {
    const index = this.levels.take();
    if (index === undefined) {
      this.levels.advance();
      return false;
    }
    const { progress } = this;
    const { part, level } = this.levels.place;
    progress.at++;
    if (part === STATES) progress.level = Math.max(progress.level, level);
    if (part === SWITCHES) this.exploreOthers(index, this.store.get(index));
    else this.exploreLast(part === STATES ? index : Nodes.other(index));
    return true;
  }

  /** The moves of a node's last actor; if it has none, those of all. */
  private exploreLast(node: number): void {
    const { nodes, runners, space } = this;
    const state = nodes.get(node);
    const number = nodes.stateOf(node);
    const last = nodes.lastOf(node);
    const done = nodes.doneIn(number);
    let moves = 0;
    const isFirst = done === 0;
    const only = space.visitOnly(state, (move, next, event) => {
      moves++;
      if (isFirst) this.judgeMove(node, state, { move, next, event });
      if (next === undefined) return;
      this.symmetry.merged(next);
      const { order } = this.symmetry;
      const isOwn = last === runners.of(move);
      this.add(
        node,
        move,
        next,
        isOwn ? runners.after(state, move, next, order) : runners.kept(state, last, next, order),
      );
    });
    if (only) return nodes.finish(number, ALL);
    if (done === ALL || (last !== NONE && (done & (1 << last)) !== 0)) return;
    if (last !== NONE && !runners.isAsleep(state, last))
      runners.visit(state, last, (move, next, event) => {
        moves++;
        this.take(node, state, { move, next, event });
      });
    if (moves > 0) nodes.finish(number, 1 << last);
    else this.exploreOthers(node, state);
  }

  /** The moves of all actors whose moves were not explored yet. */
  private exploreOthers(node: number, state: PackedState): void {
    const { nodes, runners, space } = this;
    const number = nodes.stateOf(node);
    const done = nodes.doneIn(number);
    if (done === ALL) return;
    let moves = 0;
    space.visit(state, (move, next, event) => {
      moves++;
      if ((done & (1 << runners.of(move))) === 0) this.take(node, state, { move, next, event });
    });
    nodes.finish(number, ALL);
    if (moves > 0) return;
    this.progress.ends++;
    const breach = this.judge.final(state);
    if (breach !== undefined) this.note(breach, { from: node });
  }

  private take(node: number, state: PackedState, made: MadeHere): void {
    this.judgeMove(node, state, made);
    const { move, next } = made;
    if (next === undefined) return;
    this.symmetry.merged(next);
    this.add(node, move, next, this.runners.after(state, move, next, this.symmetry.order));
  }

  private judgeMove(node: number, state: PackedState, { move, next, event }: MadeHere): void {
    this.progress.transitions++;
    if (event === undefined || this.progress.stopped) return;
    const breach = this.judge.event(state, next, event);
    if (breach !== undefined) this.note(breach, { from: node, move, next });
  }

  private add(node: number, move: number, next: PackedState, last: number): void {
    this.nodes.add(next, this.levels.first, node, move, last);
  }

  private note(breach: TaskBreach, place: BreachPlace): void {
    if (this.findings.note(breach, place)) this.progress.stopped = true;
  }

  /** Its results so far. */
  explored(): Explored {
    const { transitions, ends, level, stopped } = this.progress;
    const complete = this.levels.place.over && !stopped;
    return {
      states: this.store.size,
      transitions,
      depth: level,
      ends,
      bytes: this.store.bytes + this.nodes.bytes,
      complete,
      leftOut: complete && this.leavesOut(),
      breaches: [...this.findings.breaches.values()],
      witnesses: this.judge.witnesses,
    };
  }

  /** Whether a state has a move that needs more preemptions. */
  private leavesOut(): boolean {
    const { nodes, runners, store, levels } = this;
    let found = false;
    for (let number = levels.first; number < store.size && !found; number++) {
      const done = nodes.doneIn(number);
      if (done === ALL) continue;
      this.space.visit(store.get(number), (move) => {
        found ||= (done & (1 << runners.of(move))) === 0;
      });
    }
    return found;
  }

  /** What it has beside its states, findings and progress, as plain data. */
  savedBound(): SavedBound {
    return { place: { ...this.levels.place }, nodes: this.nodes.saved() };
  }

  /** Resumes; the states are there already. */
  restoreBound({ place, nodes }: SavedBound): void {
    this.levels.place = { ...place };
    this.nodes.restore(nodes);
  }
}

/** A move from a state that is being visited. */
interface MadeHere {
  readonly move: number;
  readonly next: PackedState | undefined;
  readonly event: TaskEvent | undefined;
}

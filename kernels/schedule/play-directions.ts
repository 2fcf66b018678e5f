import { actorOf, fetchesOf, ITS_END } from '../../checker/interleavings/actors.ts';
import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import { Judge } from '../../checker/interleavings/judge.ts';
import type { PlayedSchedule, ScheduleTurn } from '../../checker/interleavings/play.ts';
import { movesOf, playTurn } from '../../checker/interleavings/play.ts';
import { FETCHES, RUNS } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import type { PackedState } from '../../checker/interleavings/state.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';

/** What an actor does until another one has its turn. */
export interface Direction {
  /** `client#1`, `task#1`, `work bpf_tramp_image_put(tramp#1)`. */
  readonly actor: string;
  /** Its first turn where it has a choice: what it fetches of a text that is being patched, sleep, an interrupt. */
  readonly begins?: string;
  /** Where it is stopped; undefined: it runs as far as it gets. */
  readonly stop: PlaceToStop | undefined;
}

/** After its first turn, when it reaches a place for the nth time, or before it begins its next call. */
export type PlaceToStop = 'at once' | VisitedPlace | EndedCalls;

export interface VisitedPlace {
  readonly at: string;
  readonly visits: number;
}

export interface EndedCalls {
  /** Of its calls, those that end in this direction. */
  readonly ends: number;
}

/** Moves of a schedule at most: an actor that waits actively does not end. */
const MOVES_MOST = 4000;

/** A schedule that is played by directions. */
export class DirectedPlay {
  readonly followed: { readonly direction: Direction; readonly moves: PlayedSchedule[] }[] = [];
  breach: TaskBreach | undefined;
  private made = 0;
  private state: PackedState | undefined;
  private readonly judge: Judge;

  /** Without a law there is no breach, and actors continue; as they do after one that is not like another. */
  constructor(
    private readonly space: Space,
    law?: TaskLaw,
    from: PackedState = space.initial(),
    private readonly like?: TaskBreach,
  ) {
    this.judge = new Judge(space, law === undefined ? [] : [law], space.program);
    this.state = from;
  }

  /** Whether the actor gets to where it is to stop. */
  follow(direction: Direction): boolean {
    const { actor, begins, stop } = direction;
    this.followed.push({ direction, moves: [] });
    let times = 0;
    const isThere = ({ to }: PlayedSchedule): boolean => {
      if (stop === undefined || stop === 'at once') return stop !== undefined;
      if ('ends' in stop) return to.startsWith(ITS_END) && ++times === stop.ends;
      return to === stop.at && ++times === stop.visits;
    };
    let move = begins === undefined ? this.step(actor) : this.turn({ actor, does: begins });
    while (move !== undefined && !this.isOver) {
      if (isThere(move)) return true;
      move = this.step(actor);
    }
    return this.isOver || stop === undefined;
  }

  /** Every actor, one after the other, as far as each gets. */
  finish(): void {
    for (let before = -1; before !== this.made && !this.isOver; ) {
      before = this.made;
      for (const actor of this.actors()) this.follow({ actor, stop: undefined });
    }
    if (this.state === undefined || this.isOver || movesOf(this.space, this.state).length > 0) return;
    this.breach = this.alike(this.judge.final(this.state));
  }

  private get isOver(): boolean {
    return this.state === undefined || this.breach !== undefined || this.made > MOVES_MOST;
  }

  private actors(): string[] {
    const { space, state } = this;
    if (state === undefined) return [];
    return space.actors(state).map(({ kind, index }) => actorOf(space, state, { who: kind, index }));
  }

  /** A step of an actor; a task that runs on no CPU gets one. */
  private step(actor: string): PlayedSchedule | undefined {
    for (const does of this.isOver ? [] : this.stepsOf(actor)) {
      const move = this.turn({ actor, does });
      if (move !== undefined) return move;
    }
    return undefined;
  }

  /** Where it may fetch several instructions, the last of them is what is in memory now. */
  private stepsOf(actor: string): string[] {
    const { space, state } = this;
    const task = /^task#(\d+)$/.exec(actor);
    if (task === null || state === undefined) return [RUNS];
    const cpus = Array.from({ length: space.scenario.cpus }, (_, cpu) => `${RUNS} on cpu ${cpu}`);
    const fetched = fetchesOf(space, state, Number(task[1]) - 1).slice(-1);
    return [RUNS, ...cpus, ...fetched.map((text) => FETCHES + text)];
  }

  private turn(turn: ScheduleTurn): PlayedSchedule | undefined {
    if (this.state === undefined) return undefined;
    const move = playTurn(this.space, this.state, turn);
    if (move === undefined) return undefined;
    const { before, after, event } = move;
    this.followed.at(-1)?.moves.push(move);
    this.made++;
    this.state = after;
    if (event !== undefined) this.breach = this.alike(this.judge.event(before, after, event));
    return move;
  }

  private alike(breach: TaskBreach | undefined): TaskBreach | undefined {
    return breach === undefined || this.like === undefined || isAlike(this.like, breach) ? breach : undefined;
  }
}

/** The same kind of finding, and of crash or warnings. */
function isAlike({ finding: a }: TaskBreach, { finding: b }: TaskBreach): boolean {
  if (a.is === 'crashes' && b.is === 'crashes') return a.crash.is === b.crash.is;
  if (a.is === 'warns' && b.is === 'warns')
    return a.warnings.every(({ is }) => b.warnings.some((other) => other.is === is));
  return a.is === b.is;
}

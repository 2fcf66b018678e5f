import { clientName, taskName } from '../../../checker/interleavings/actor-names.ts';
import { placeAfter } from '../../../checker/interleavings/actors.ts';
import { Judge } from '../../../checker/interleavings/judge.ts';
import { unpackMove } from '../../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../../checker/interleavings/play.ts';
import { movesOf, playRuns, turnOf } from '../../../checker/interleavings/play.ts';
import type { Schedule } from '../../../checker/interleavings/schedule.ts';
import type { Space } from '../../../checker/interleavings/space.ts';
import type { PackedState } from '../../../checker/interleavings/state.ts';
import { breachAtEnd } from '../../../counterexamples/interleavings/breach-at-end.ts';
import { spaceFor } from '../../../counterexamples/interleavings/space-for.ts';
import { crashText } from '../../../model/core/crash-words.ts';
import { InputError } from '../../../model/core/input-error.ts';
import { item } from '../../../model/core/present.ts';
import { rendered } from '../../../properties/finding/render.ts';
import type { TaskLaw } from '../../../properties/law/interleaving-law.ts';
import type { TaskPlanted } from '../../../properties/planted/interleavings/planted.ts';
import { toldMove } from '../../explain/move-lines.ts';
import { moveDelta } from '../../explain/move-told.ts';
import { boardOf } from './board.ts';
import type { Remembered } from './machine-view.ts';
import { machineView, remember } from './machine-view.ts';
import type { FindingWalk, NextMove, WalkedStep, WalkStand, WalkVerdict } from './stand.ts';

interface Kept {
  readonly stand: WalkStand;
  /** Undefined: the kernel has crashed. */
  readonly state: PackedState | undefined;
  readonly move: number | undefined;
}

/** A walk through the states of a scenario: along a saved schedule at first, then along chosen moves. */
export class ScheduleWalk implements FindingWalk {
  private readonly space: Space;
  private readonly judge: Judge;
  private readonly remembered: Remembered = { plans: new Map(), pages: new Map() };
  private readonly saved: readonly Kept[];
  private all: readonly Kept[];

  /** Throws an InputError when the scenario cannot be set up, or the schedule cannot be played. */
  constructor(
    { scenario, runs, grain }: Schedule,
    private readonly law: TaskLaw | undefined,
    planted: TaskPlanted | undefined,
  ) {
    const space = spaceFor(scenario, planted, grain);
    if (typeof space === 'string') throw new InputError(space);
    this.space = space;
    this.judge = new Judge(space, law === undefined ? [] : [law], space.program);
    this.all = [
      { stand: this.standAt(space.initial(), undefined, undefined), state: space.initial(), move: undefined },
    ];
    const { played, diverged } = playRuns(space, runs);
    if (diverged !== undefined) throw new InputError(diverged);
    for (const [i, move] of played.entries())
      this.add(move, i === played.length - 1 ? this.endOf(played) : undefined);
    this.saved = this.all;
  }

  get stands(): readonly WalkStand[] {
    return this.all.map(({ stand }) => stand);
  }

  /** The clients and tasks of the scenario, and the background work that has done a move. */
  get actors(): readonly string[] {
    const { clients, callers } = this.space.scenario;
    const moved = this.all.flatMap(({ stand: { told } }) => (told === undefined ? [] : [told.actor]));
    return [
      ...new Set([...clients.map((_, i) => clientName(i)), ...callers.map((_, i) => taskName(i)), ...moved]),
    ];
  }

  /** The moves that the scenario allows after a stand, by its number. */
  choices(number: number): NextMove[] {
    const { state } = item(this.all, number);
    if (state === undefined) return [];
    return this.moves(state).map((played) => {
      const { actor, turn, does } = this.told(played);
      return { actor, turn, does, isSaved: this.isSaved(number, played) };
    });
  }

  /** Makes one of these moves after a stand. After the saved one comes what was saved, after another one nothing yet. */
  choose(number: number, choice: number): void {
    const { state } = item(this.all, number);
    if (state === undefined) throw new InputError('no move is possible after a crash');
    const played = item(this.moves(state), choice);
    if (this.isSaved(number, played)) {
      this.all = this.saved;
      return;
    }
    this.all = this.all.slice(0, number + 1);
    this.add(played, undefined);
  }

  reset(): void {
    this.all = this.saved;
  }

  /** Whether the walk has come as it was saved, and a move is the one that was made there. */
  private isSaved(number: number, { move }: PlayedSchedule): boolean {
    return this.all[number] === this.saved[number] && move === this.saved[number + 1]?.move;
  }

  private moves(state: PackedState): PlayedSchedule[] {
    const { space } = this;
    return movesOf(space, state).map(({ move, next, event }) => {
      const unpacked = unpackMove(move);
      const to = placeAfter(space, state, unpacked, next);
      return { turn: turnOf(space, state, unpacked), move, before: state, after: next, event, to };
    });
  }

  private add(played: PlayedSchedule, verdict: WalkVerdict | undefined): void {
    const { before, after, move } = played;
    const found = verdict ?? this.verdictOn(played);
    this.all = [
      ...this.all,
      { stand: this.standAt(after ?? before, this.told(played), found), state: after, move },
    ];
  }

  private told(played: PlayedSchedule): WalkedStep {
    const { actor, does: turn } = played.turn;
    const { begins = '', does, said } = toldMove(this.space, played);
    return {
      actor,
      turn: turn === 'runs' ? '' : turn,
      begins,
      does,
      said,
      changes: moveDelta(this.space, played),
    };
  }

  private standAt(
    state: PackedState,
    told: WalkedStep | undefined,
    verdict: WalkVerdict | undefined,
  ): WalkStand {
    const { space, remembered } = this;
    const k = space.kernelOf(state);
    remember(remembered, k);
    const machines = space.scenario.callers.flatMap((_, i) => {
      const caller = space.callerOf(state, i);
      return caller === null ? [] : [machineView(taskName(i), k, caller, remembered)];
    });
    return { told, board: boardOf(space, state), machines, verdict };
  }

  /** The verdict on a saved schedule: the breach of its law, or the crash, that it ends with. */
  private endOf(played: readonly PlayedSchedule[]): WalkVerdict | undefined {
    const breach = this.law === undefined ? undefined : breachAtEnd(this.space, this.law, played);
    return breach === undefined ? undefined : brokenBy(breach);
  }

  private verdictOn({ before, after, event }: PlayedSchedule): WalkVerdict | undefined {
    const breach = event === undefined ? undefined : this.judge.event(before, after, event);
    if (breach !== undefined) return brokenBy(breach);
    if (event?.is === 'crash') return { is: 'crash', observed: crashText(event.crash) };
    if (after === undefined || movesOf(this.space, after).length > 0) return undefined;
    const last = this.judge.final(after);
    return last === undefined ? { is: 'held' } : brokenBy(last);
  }
}

function brokenBy({ law, finding }: NonNullable<ReturnType<Judge['final']>>): WalkVerdict {
  return { is: 'broken', law: law.name, ...rendered(finding) };
}

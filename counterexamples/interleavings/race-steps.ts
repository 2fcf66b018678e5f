import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { isStep } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { item } from '../../model/core/present.ts';
import type { Wait } from '../../properties/law/wait.ts';
import { runsIn } from './deciding-moves.ts';
import { changeWords, endWords, eventWords, lockWords, moveWords, waitWords } from './move-text.ts';
import { memoryDelta, raceDelta, restDelta } from './task-delta.ts';

/** A move of a drawing. */
export interface RaceStep {
  readonly actor: string;
  readonly kind: ActorKind;
  /** Moves of one actor in a row have one number. */
  readonly run: number;
  readonly text: string;
  readonly changes: readonly string[];
  /** Those of them that stay where lines are short: waits, locks, the end. */
  readonly kept: readonly string[];
  readonly weight: Weight;
  /** It counts as a step. */
  readonly isStep: boolean;
}

export type ActorKind = 'client' | 'work' | 'caller';

/**
 * How much a move says about a breach. `decidingMoves()`, and locks of a deadlock, decide. An actor's first step when
 * it resumes shows how; grace periods and refusals show why. A move without a drawn change is folded.
 */
export const WEIGHT = { nothing: 0, changes: 1, shows: 2, decides: 3 } as const;
export type Weight = (typeof WEIGHT)[keyof typeof WEIGHT];

/** A schedule that is drawn: the moves that decide, and the actors that wait for each other in its end. */
export interface DrawnSchedule {
  readonly space: Space;
  readonly played: readonly PlayedSchedule[];
  readonly deciding: ReadonlySet<PlayedSchedule>;
  readonly waits: readonly Wait[];
}

/** The moves of a schedule that was played. */
export function raceSteps({ space, played, deciding, waits }: DrawnSchedule): RaceStep[] {
  const begun = new Set<string>();
  return runsIn(played).flatMap(({ from, to }, run) => {
    const moves = played.slice(from, to);
    const changes = changesOf(space, moves);
    const { actor } = item(moves, 0).turn;
    const resumes = begun.has(actor);
    begun.add(actor);
    return moves.map((move, i): RaceStep => {
      const text = moveWords(space, move);
      const changed = [...(changes.get(move) ?? []), ...eventWords(space, move)];
      const locks = lockWords(space, move, waits);
      const periods = waitWords(space, move);
      const kept = [...periods.filter((period) => period !== text), ...locks, ...endWords(move)];
      const weight = weightOf({
        decides: deciding.has(move) || locks.length > 0,
        shows: periods.length > 0 || (resumes && i === 0) || isRefused(space, move),
        changes: changed.length > 0,
      });
      return {
        actor,
        kind: unpackMove(move.move).who,
        run,
        text,
        changes: [...changed, ...kept],
        kept,
        weight: text === '' ? WEIGHT.nothing : weight,
        isStep: isStep(move.turn),
      };
    });
  });
}

function weightOf(is: Readonly<Record<'decides' | 'shows' | 'changes', boolean>>): Weight {
  if (is.decides) return WEIGHT.decides;
  if (is.shows) return WEIGHT.shows;
  return is.changes ? WEIGHT.changes : WEIGHT.nothing;
}

/** Whether an operation takes a return site with an errno. */
function isRefused(space: Space, { before, move }: PlayedSchedule): boolean {
  return space.stepOf(before, unpackMove(move))?.did.some(({ refused }) => refused !== undefined) === true;
}

/** The final changes of a run, each under the move that made it. */
function changesOf(space: Space, run: readonly PlayedSchedule[]): Map<PlayedSchedule, string[]> {
  const all = new Map<PlayedSchedule, string[]>();
  const put = (move: PlayedSchedule, text: string) => all.set(move, [...(all.get(move) ?? []), text]);
  const own = run.map((move) => new Set(deltaOf(space, [move]).map(({ subject }) => subject)));
  for (const change of deltaOf(space, run)) {
    const index = own.findLastIndex((subjects) => subjects.has(change.subject));
    put(run[index] ?? run.at(-1)!, changeWords(change));
  }
  return all;
}

function deltaOf(space: Space, run: readonly PlayedSchedule[]) {
  return [...memoryDelta(space, run), ...raceDelta(space, run), ...restDelta(space, run)];
}

import { answered, placeOfTask } from '../../checker/interleavings/actors.ts';
import type { Move } from '../../checker/interleavings/move.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { RUNS } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { partsOf } from '../../counterexamples/interleavings/move-text.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { returnText } from './call-words.ts';
import { begunOperation, seenEvents, standingTexts, warningsOf } from './move-told.ts';

/** One move of an interleaving in words. */
export interface ToldMove {
  /** The operation that a client begins. */
  readonly begins: string | undefined;
  /** The parts of routines that it does, or the code that it runs. */
  readonly does: string;
  /** Locks and waits, what clients saw, how a call or an operation ended, WARNs. */
  readonly said: readonly string[];
}

export function toldMove(space: Space, played: PlayedSchedule): ToldMove {
  const step = space.stepOf(played.before, unpackMove(played.move));
  const begun = begunOperation(space, played);
  return {
    begins: begun === undefined ? undefined : `${played.turn.actor} begins ${begun}`,
    does: step === undefined ? taskText(space, played) : (partsOf(step) ?? `to ${played.to}`),
    said: [
      ...standingTexts(space, played),
      ...seenTexts(space, played),
      ...warningsOf(space, played).map((warning) => `WARN ${warningText(warning)}`),
    ],
  };
}

/** `comes onto cpu 0, at prog#1`; `f1+0x4, fetches int3: to __bpf_tramp_enter`. */
function taskText(space: Space, { turn: { does }, before, move, to }: PlayedSchedule): string {
  const { does: kind, index } = unpackMove(move) as Extract<Move, { who: 'caller' }>;
  if (kind !== 'resumes') return kind === 'is interrupted' ? `${does}, before ${to}` : `${does}, at ${to}`;
  const fetches = does === RUNS ? '' : `, ${does}`;
  return `from ${placeOfTask(space, before, index)}${fetches}, to ${to}`;
}

/** What clients saw of a call, and how a call or an operation ended. */
function seenTexts(space: Space, played: PlayedSchedule): string[] {
  const { event } = played;
  const seen = seenEvents(space, played).map(({ text }) => text);
  if (event?.is === 'call over') return [...seen, returnText(event.run)];
  const ended = event?.is === 'operation' ? event.step.ended : undefined;
  return ended === undefined ? seen : [`answers ${answered(ended)}`];
}

import { clientName } from '../../checker/interleavings/actor-names.ts';
import { answered, placeOfTask } from '../../checker/interleavings/actors.ts';
import type { Move } from '../../checker/interleavings/move.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import { RUNS } from '../../checker/interleavings/schedule.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { eventsOf, partsOf } from '../../counterexamples/interleavings/move-text.ts';
import { printAction } from '../../model/action-text.ts';
import { codePlace } from '../../model/call/code-place.ts';
import { item } from '../../model/core/present.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { fromHex } from '../../model/x86/word.ts';
import { programKind, returnText } from './call-words.ts';
import { eventText } from './event-text.ts';
import { standingTexts } from './move-told.ts';

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
  const { event, move } = played;
  const step = space.stepOf(played.before, unpackMove(move));
  const warnings = event !== undefined && 'warnings' in event ? event.warnings : (step?.warnings ?? []);
  return {
    begins: begunBy(space, played),
    does: step === undefined ? taskText(space, played) : (partsOf(step) ?? `to ${played.to}`),
    said: [
      ...standingTexts(space, played),
      ...seenTexts(space, played),
      ...warnings.map((warning) => `WARN ${warningText(warning)}`),
    ],
  };
}

function begunBy(space: Space, { before, move }: PlayedSchedule): string | undefined {
  const { who, index } = unpackMove(move);
  if (who !== 'client') return undefined;
  const { frames, answers } = space.clientOf(before, index);
  if (frames !== null) return undefined;
  const action = item(item(space.scenario.clients, index), answers.length);
  return `${clientName(index)} begins ${printAction(action, space.scenario)}`;
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
  const { before, event } = played;
  const k = space.kernelOf(before);
  const seen = eventsOf(space, played).map((event) =>
    eventText(event, {
      kindOf: (who) => programKind(k, who),
      placeOf: (address) => codePlace(k, fromHex(address)),
    }),
  );
  if (event?.is === 'call over') return [...seen, returnText(event.run)];
  const ended = event?.is === 'operation' ? event.step.ended : undefined;
  return ended === undefined ? seen : [`answers ${answered(ended)}`];
}

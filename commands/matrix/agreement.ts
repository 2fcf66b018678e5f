import type { MatrixCell, Play, PlayedTurn } from '../../checker/matrix/cell.ts';
import type { RecordedPair, RecordedTurn } from '../../conformance/matrix/recorded-pair.ts';
import { clientOf, NO_FUNCTION } from '../../conformance/matrix/recorded-pair.ts';
import { recordedErrno } from '../../conformance/sequences/compare.ts';
import { writeEvent } from '../../conformance/sequences/event.ts';
import type { LabProgram } from '../../conformance/sequences/lab.ts';
import type { RecordedSequenceEvent } from '../../conformance/sequences/record.ts';
import { comparable, firstDifference, inOrder, printEvent } from '../../conformance/sequences/same-events.ts';
import { targetNamed } from '../../conformance/sequences/targets.ts';
import { wordsFor } from '../../conformance/sequences/words.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { item, present } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { bootKernel } from '../../model/kernel.ts';
import type { CellDisagreement } from './judged-cell.ts';

/**
 * How a recording compares with a cell: every turn that both have, its answer, and all events of the call after it.
 */
export function disagreement(cell: MatrixCell, pair: RecordedPair): CellDisagreement | undefined {
  const play = playLike(cell, pair);
  for (const [i, recorded] of pair.turns.entries()) {
    const turn = play.turns[i];
    if (turn === undefined || turn.do !== recorded.do || turn.who !== recorded.who) return undefined;
    const found = differenceOf(pair, recorded, turn);
    if (found !== undefined) return { place: pair.place, op: recorded.op.text, ...found };
  }
  return undefined;
}

/** The play that detaches in the recorded order. */
function playLike({ plays }: MatrixCell, { turns }: RecordedPair): Play {
  const third = turns[2]?.who;
  return plays.find((play) => play.turns[2]?.who === third) ?? item(plays, 0);
}

type Sides = Pick<CellDisagreement, 'kernel' | 'model'>;

function differenceOf(pair: RecordedPair, recorded: RecordedTurn, turn: PlayedTurn): Sides | undefined {
  const errno = recordedErrno(recorded.errno);
  if (errno !== String(turn.errno)) return { kernel: errno, model: String(turn.errno) };
  const { call } = recorded.seen;
  if (turn.call === undefined) return { kernel: 'the call returns', model: 'the kernel has crashed' };
  if (call.rax !== turn.call.rax) return { kernel: `rax ${call.rax}`, model: `rax ${turn.call.rax}` };
  const { kernel, model } = eventsOf(pair, recorded, turn);
  const index = firstDifference(kernel, model);
  if (index === undefined) return undefined;
  const text = (events: readonly RecordedSequenceEvent[]) =>
    events[index] === undefined ? 'no further event' : printEvent(events[index]);
  return { kernel: text(kernel), model: text(model) };
}

/** The events of a call on both sides, each with the number of its client in the place of the recorder's own. */
function eventsOf(pair: RecordedPair, { seen }: RecordedTurn, { call }: PlayedTurn) {
  const lab = witness(pair);
  const target = present(targetNamed(pair.fn), pair.fn);
  const model = call!.events.map((event) => writeEvent({ lab, target, words: wordsFor(target) }, event));
  const kernel = seen.call.ev.map((event, i) => comparable(lab, event, model[i]));
  const order = lab.profile.fprobe === 'fgraph' ? 'as set' : 'exact';
  return {
    kernel: inOrder(
      lab,
      kernel.map((event) => ofClient(event, clientOf(pair, event))),
      order,
    ),
    model: inOrder(
      lab,
      model.map((event, i) => ofClient(event, clientOfModel(item(call!.events, i)))),
      order,
    ),
  };
}

function ofClient(
  { i: _, t: __, k: ___, ...event }: RecordedSequenceEvent,
  client: number | undefined,
): RecordedSequenceEvent {
  return client === undefined ? event : { ...event, i: client };
}

/** `kprobe#2`, `my_tramp2`: the number is the client's. Events of the function itself have its name there. */
function clientOfModel({ who, kind, fn }: CallEvent): number | undefined {
  if (fn === NO_FUNCTION || kind === 'body' || kind === 'replacement') return undefined;
  return Number(/[#p](\d)$/.exec(who)?.[1]);
}

/** The programs of a recording: the two of a cell, by the numbers that they have in the model. */
function witness({ kernel, turns }: RecordedPair) {
  const attached = turns.slice(0, 2).flatMap(({ op, who }): [number, LabProgram][] => {
    const { program, numbers, fns } = op;
    if (program === undefined) return [];
    return [[who === 'first' ? 1 : 2, { ...program, slot: item(numbers, 0), fn: item(fns, 0) }]];
  });
  return {
    k: bootKernel({ profile: kernel, boot: 'default', functions: [] }),
    profile: profileNamed(kernel),
    programs: new Map(attached),
    inSlot: new Map(attached.map(([, program]) => [program.slot, program])),
  };
}

import { isNotModelled } from '../../model/call/exception.ts';
import { NotModelled } from '../../model/core/not-modelled.ts';
import type { AttachCase } from './attach-case.ts';
import type { AttachQuestion } from './played.ts';
import { SequencePlayer } from './run-sequence.ts';
import { simplify } from './shrink/simplify.ts';

/** A search has met something that is not modelled: the simplest sequence that meets such a thing, and its message. */
export class UnmodelledSequence extends NotModelled {
  override name = 'UnmodelledSequence';
  constructor(
    readonly sequence: AttachCase,
    message: string,
    /** Actions of the sequence as it was drawn. */
    readonly drawn: number,
  ) {
    super(message);
  }
}

/** The sequence, simplified as far as it meets something of the kind; undefined: the error is another one. */
export function unmodelledSequence(
  first: AttachCase,
  error: unknown,
  question: AttachQuestion,
): UnmodelledSequence | undefined {
  if (!isNotModelled(error)) return undefined;
  const meets = (c: AttachCase) => unmodelledIn(c, question)?.name === error.name;
  if (!meets(first)) return undefined;
  const small = simplify(first, meets);
  return new UnmodelledSequence(small, unmodelledIn(small, question)!.message, first.actions.length);
}

/** The first thing that a sequence meets and that is not modelled. */
function unmodelledIn({ actions, ...start }: AttachCase, question: AttachQuestion): Error | undefined {
  const player = new SequencePlayer(start, question);
  try {
    for (const action of actions) {
      if (player.isOver) return undefined;
      player.play(action);
    }
  } catch (error) {
    if (isNotModelled(error)) return error;
    throw error;
  }
  return undefined;
}

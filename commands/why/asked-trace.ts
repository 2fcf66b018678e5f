import type { OwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { readOwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError } from '../../model/core/input-error.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';

/** A sequence to explain: saved by a search, or written by hand. */
export interface AskedTrace extends Pick<OwnSequence, 'cases' | 'answers'> {
  readonly planted: AttachPlanted | undefined;
}

/** Files that look alike, and hold no sequence of client calls. */
const OTHER_KINDS = {
  interleaving: 'a trace of an interleaving',
  history: 'a history of two designs',
  image: 'a trace of one attach combination',
};

/**
 * Reads a saved sequence, or one written by hand, which needs only `kernel`, functions and actions. An InputError
 * names the line that cannot be read, or the kind of the file.
 */
export function readAskedTrace(text: string): AskedTrace {
  const kind = traceKind(text);
  if (kind !== 'sequence')
    throw new InputError(`it is ${OTHER_KINDS[kind]}; why explains sequences of client calls`);
  const { planted, ...sequence } = readOwnSequence(text);
  return { ...sequence, planted: plantedIn(ATTACH_PLANTED, planted) };
}

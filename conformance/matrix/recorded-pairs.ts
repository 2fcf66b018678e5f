import type { FunctionName } from '../../model/core/ids.ts';
import { InputError } from '../../model/core/input-error.ts';
import { readText } from '../files.ts';
import type { RecordedSequence } from '../sequences/record.ts';
import { parseSequences } from '../sequences/record.ts';
import type { RecordedPair } from './recorded-pair.ts';
import { pairOf } from './recorded-pair.ts';

/** The last read contents of each file, valid while its text is the same: parsing takes a second. */
const READ = new Map<string, { readonly text: string; readonly sequences: readonly RecordedSequence[] }>();

/** All recordings that begin like a cell of this function; an InputError names an invalid line. */
export function recordedPairs(paths: readonly string[], fn: FunctionName): RecordedPair[] {
  return paths.flatMap((path) => sequencesIn(path).flatMap((sequence) => pairOf(sequence, fn) ?? []));
}

function sequencesIn(path: string): readonly RecordedSequence[] {
  const text = readText(path);
  const read = READ.get(path);
  if (read?.text === text) return read.sequences;
  const { sequences, problems } = parseSequences(text, path);
  const [problem] = problems;
  if (problem !== undefined) throw new InputError(problem);
  READ.set(path, { text, sequences });
  return sequences;
}

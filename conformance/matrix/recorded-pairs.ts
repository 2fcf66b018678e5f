import type { FunctionName } from '../../model/core/ids.ts';
import { InputError } from '../../model/core/input-error.ts';
import { readText } from '../files.ts';
import { parseSequences } from '../sequences/record.ts';
import type { RecordedPair } from './recorded-pair.ts';
import { pairOf } from './recorded-pair.ts';

/** All recordings that begin as a cell of this function does; an InputError names a line that cannot be read. */
export function recordedPairs(paths: readonly string[], fn: FunctionName): RecordedPair[] {
  return paths.flatMap((path) => {
    const { sequences, problems } = parseSequences(readText(path), path);
    const [problem] = problems;
    if (problem !== undefined) throw new InputError(problem);
    return sequences.flatMap((sequence) => pairOf(sequence, fn) ?? []);
  });
}

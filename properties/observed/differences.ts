import type { Changed } from '../finding/answer-finding.ts';
import type { ToldPlace } from '../finding/value.ts';
import { kept } from '../finding/value.ts';
import { isEqual } from './changed-paths.ts';

/** A place where two states differ, with both values. */
export interface StateDifference {
  /** Path of keys, outermost first. */
  readonly keys: ToldPlace;
  readonly before: unknown;
  readonly after: unknown;
}

/** Paths to ignore (`ftrace/records/f2/count`). */
type Ignored = (path: string) => boolean;

/**
 * The first difference between two states, depth first, whose path is not ignored. A path ends where only one side
 * has a value.
 */
export function firstDifference(
  before: unknown,
  after: unknown,
  ignored: Ignored,
): StateDifference | undefined {
  let first: StateDifference | undefined;
  look(before, after, [], '', ignored, (found) => {
    first = found;
    return true;
  });
  return first;
}

/** All differences, in order. */
export function allDifferences(before: unknown, after: unknown, ignored: Ignored): StateDifference[] {
  const all: StateDifference[] = [];
  look(before, after, [], '', ignored, (found) => {
    all.push(found);
    return false;
  });
  return all;
}

/** The same as a finding keeps it; `within`: the states' path in the kernel. */
export function changedAt({ keys, before, after }: StateDifference, within: ToldPlace = []): Changed {
  return { place: [...within, ...keys], expected: kept(before), observed: kept(after) };
}

/** Reports each difference until the callback returns true, which it then returns; `keys` is the current path. */
function look(
  before: unknown,
  after: unknown,
  keys: string[],
  path: string,
  ignored: Ignored,
  stopsAt: (found: StateDifference) => boolean,
): boolean {
  if (before === after || ignored(path)) return false;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return stopsAt({ before, after, keys: [...keys] });
  if (isEqual(before, after)) return false;
  const record = before as Record<string, unknown>;
  const other = after as Record<string, unknown>;
  const below = (key: string, was: unknown, is: unknown) => {
    keys.push(key);
    const stopped = look(was, is, keys, path === '' ? key : `${path}/${key}`, ignored, stopsAt);
    keys.pop();
    return stopped;
  };
  for (const key in record) if (below(key, record[key], other[key])) return true;
  for (const key in other) if (!(key in record) && below(key, undefined, other[key])) return true;
  return false;
}

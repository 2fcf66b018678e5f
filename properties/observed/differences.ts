import type { Changed } from '../finding/answer-finding.ts';
import type { ToldPlace } from '../finding/value.ts';
import { kept } from '../finding/value.ts';

/** A place in a state that differs from the same place in another, with both values. */
export interface StateDifference {
  /** Keys from the outside to the inside. */
  readonly keys: ToldPlace;
  readonly before: unknown;
  readonly after: unknown;
}

/** What is ignored, by its path (`ftrace/records/f2/count`). */
type Ignored = (path: string) => boolean;

/**
 * The first difference between two states, depth first, that is not ignored by its path. Paths end at the first place
 * where only one side has something.
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

/** All of them, in their order. */
export function allDifferences(before: unknown, after: unknown, ignored: Ignored): StateDifference[] {
  const all: StateDifference[] = [];
  look(before, after, [], '', ignored, (found) => {
    all.push(found);
    return false;
  });
  return all;
}

/** The same as a finding keeps it; `room`: where the states are parts of a kernel. */
export function changedAt({ keys, before, after }: StateDifference, room: ToldPlace = []): Changed {
  return { place: [...room, ...keys], expected: kept(before), observed: kept(after) };
}

/** Tells of each difference until it is told to stop, which it says then; `keys` is where it stands. */
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

/**
 * The paths at which two plain values differ: the keys down to each place. One of which a whole object is new or
 * gone ends at that object. Reading changes nothing.
 */
export function changedPaths(before: unknown, after: unknown): string[][] {
  const found: string[][] = [];
  compare(before, after, [], found);
  return found;
}

/** `path`: the keys from the whole values to these two; one list for the whole comparison. */
function compare(before: unknown, after: unknown, path: string[], found: string[][]): void {
  if (before === after) return;
  if (!isRecord(before) || !isRecord(after)) {
    if (!isEqual(before, after)) found.push([...path]);
    return;
  }
  for (const key in after) {
    if (before[key] === after[key]) continue;
    path.push(key);
    compare(before[key], after[key], path, found);
    path.pop();
  }
  for (const key in before) if (!(key in after)) found.push([...path, key]);
}

/** Whether two plain values are equal, whatever the order of their keys. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!isEqual(a[i], b[i])) return false;
    return true;
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let keys = 0;
  for (const key in left) {
    if (!isEqual(left[key], right[key])) return false;
    keys++;
  }
  for (const _ in right) keys--;
  return keys === 0;
}

/** Lists are one value: who writes an element writes the list. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

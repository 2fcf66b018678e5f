/** A place in a state that differs from the same place in another, with both values. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * The first difference between two states, depth first, that is not ignored by its path (`ftrace/records/f2/count`).
 * Paths end at the first place where only one side has something.
 */
export function firstDifference(
  before: unknown,
  after: unknown,
  ignored: (path: string) => boolean,
  path = '',
): Difference | undefined {
  if (before === after || ignored(path)) return undefined;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return { path, before, after };
  const one = before as Record<string, unknown>;
  const other = after as Record<string, unknown>;
  for (const key in one) {
    const found = firstDifference(one[key], other[key], ignored, path === '' ? key : `${path}/${key}`);
    if (found !== undefined) return found;
  }
  for (const key in other) {
    if (key in one) continue;
    const found = firstDifference(undefined, other[key], ignored, path === '' ? key : `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A value as a report prints it; what is not there is `–`. */
export function printValue(value: unknown): string {
  if (value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value.map(printValue).join(', ');
  return typeof value === 'object' && value !== null ? 'there' : String(value);
}

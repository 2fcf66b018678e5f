/**
 * Whether two pieces of plain data are equal, whatever the order of their fields; an undefined field counts as
 * absent.
 */
export function isSame(item: unknown, other: unknown): boolean {
  if (item === other) return true;
  if (!isObject(item) || !isObject(other) || Array.isArray(item) !== Array.isArray(other)) return false;
  const keys = new Set([...Object.keys(item), ...Object.keys(other)]);
  return [...keys].every((key) => isSame(item[key], other[key]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

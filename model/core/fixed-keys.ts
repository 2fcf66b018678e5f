/** Tables with at least this number of entries are remembered: listing the keys of a smaller one is fast. */
const MANY = 1024;

/** The keys of large tables. */
const KEYS = new WeakMap<object, readonly string[]>();

/**
 * The keys of a table that gets and loses none: a kernel with other ones has another table. Those of a large table
 * are listed once, which takes ten times as long as going through the list.
 */
export function fixedKeys(table: Readonly<Record<string, unknown>>): readonly string[] {
  const known = KEYS.get(table);
  if (known !== undefined) return known;
  const keys = Object.keys(table);
  if (keys.length >= MANY) KEYS.set(table, keys);
  return keys;
}

/** The values of large tables. */
const VALUES = new WeakMap<object, readonly unknown[]>();

/**
 * The values of such a table in the order of its keys, if none of them is ever replaced by another: what they hold may
 * change. Those of a large table are listed once, which takes twenty times as long as going through the list.
 */
export function fixedValues<T>(table: Readonly<Record<string, T>>): readonly T[] {
  const known = VALUES.get(table) as readonly T[] | undefined;
  if (known !== undefined) return known;
  const values = Object.values(table);
  if (values.length >= MANY) VALUES.set(table, values);
  return values;
}

/** The table without some of its entries. */
export function withoutKeys<T>(
  table: Readonly<Record<string, T>>,
  gone: readonly string[],
): Record<string, T> {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !gone.includes(key)));
}

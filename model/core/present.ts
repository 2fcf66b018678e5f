/*
 * A value that the caller knows to exist: an index that was counted, a name that was read through a pointer. If
 * it is not, the model itself is wrong, and says where.
 */

export function item<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is nothing at ${index}; there are ${list.length}`);
  return found;
}

export function last<T>(list: readonly T[]): T {
  return item(list, list.length - 1);
}

export function entry<T>(table: Readonly<Record<string | number, T>>, key: string | number): T {
  const found = table[key];
  if (found === undefined) throw new Error(`there is no ${key}`);
  return found;
}

/** The result of a search for something of this name. */
export function present<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

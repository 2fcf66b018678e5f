/*
 * The Informal Trace Format of Apalache and Quint, https://apalache-mc.org/docs/adr/015adr-trace.html: a run as a list of
 * states, each of which has the value of every variable.
 */

/** A value: a record is an object without a key that begins with `#`, a sequence is an array. */
export type ItfValue =
  | string
  | boolean
  | { readonly '#bigint': string }
  | { readonly '#set': readonly ItfValue[] }
  | { readonly '#map': readonly (readonly [ItfValue, ItfValue])[] }
  | { readonly '#tup': readonly ItfValue[] }
  | readonly ItfValue[]
  | ItfRecord;

export interface ItfRecord {
  readonly [field: string]: ItfValue;
}

/** The value of each variable. */
export type ItfState = Readonly<Record<string, ItfValue>>;

/** The file. */
export interface ItfTrace {
  readonly '#meta': Readonly<Record<string, string>>;
  readonly vars: readonly string[];
  /** The variables of each, and `#meta` with its number, from 0. */
  readonly states: readonly Readonly<Record<string, ItfValue | { readonly index: number }>>[];
}

export function itfInt(value: number): ItfValue {
  return { '#bigint': String(value) };
}

/** A set, in the order of its elements' texts. */
export function itfSet(values: readonly string[]): ItfValue {
  return { '#set': [...new Set(values)].sort() };
}

/** A function from names to what `of` makes of each entry, in the order of the names. */
export function itfMap<T>(
  table: Readonly<Record<string, T>>,
  of: (value: T, name: string) => ItfValue,
): ItfValue {
  const names = Object.keys(table).sort();
  return { '#map': names.map((name) => [name, of(table[name] as T, name)] as const) };
}

/** A trace of states that all have the same variables. */
export function itfTrace(about: Readonly<Record<string, string>>, states: readonly ItfState[]): ItfTrace {
  return {
    '#meta': {
      format: 'ITF',
      'format-description': 'https://apalache-mc.org/docs/adr/015adr-trace.html',
      ...about,
    },
    vars: Object.keys(states[0] ?? {}),
    states: states.map((state, index) => ({ '#meta': { index }, ...state })),
  };
}

/** The file: a state a line. */
export function printItf({ states, ...others }: ItfTrace): string {
  const lines = states.map((state) => JSON.stringify(state)).join(',\n');
  return `${JSON.stringify(others).slice(0, -1)},"states":[\n${lines}\n]}\n`;
}

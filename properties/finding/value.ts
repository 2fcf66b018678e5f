/** A value of a kernel's state as a finding keeps it: of an object only that it is there. */
export type ToldValue = Scalar | readonly ToldValue[] | { readonly is: 'absent' | 'present' };

type Scalar = string | number | boolean | null;

/** Keys that lead to a place in a kernel's state, from the outside to the inside. */
export type ToldPlace = readonly string[];

/** What is not there, and an empty text, are absent. */
export function kept(value: unknown): ToldValue {
  if (value === undefined || value === '') return { is: 'absent' };
  if (Array.isArray(value)) return value.map(kept);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null ? null : { is: 'present' };
}

/** A value as a report prints it; what is not there is `–`. */
export function printValue(value: ToldValue): string {
  if (isList(value)) return value.length === 0 ? 'empty' : value.map(printValue).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return value.is === 'absent' ? '–' : 'there';
}

function isList(value: ToldValue): value is readonly ToldValue[] {
  return Array.isArray(value);
}

/** `ftrace/records/f2/count`. */
export function printPlace(place: ToldPlace): string {
  return place.join('/');
}

/** A value of a kernel's state as a finding keeps it; an object is reduced to its presence. */
export type ToldValue = Scalar | readonly ToldValue[] | { readonly is: 'absent' | 'present' };

type Scalar = string | number | boolean | null;

/** Path of keys to a place in a kernel's state, outermost first. */
export type ToldPlace = readonly string[];

/** An undefined value and an empty text are absent. */
export function kept(value: unknown): ToldValue {
  if (value === undefined || value === '') return { is: 'absent' };
  if (Array.isArray(value)) return value.map(kept);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null ? null : { is: 'present' };
}

/** A value as a report prints it; an undefined one is `absent`. */
export function printValue(value: ToldValue): string {
  if (isList(value)) return value.length === 0 ? 'empty' : value.map(printValue).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return value.is === 'absent' ? 'absent' : 'present';
}

function isList(value: ToldValue): value is readonly ToldValue[] {
  return Array.isArray(value);
}

/** `ftrace/records/f2/count`. */
export function printPlace(place: ToldPlace): string {
  return place.join('/');
}

/** A choice that was taken among some. */
export interface TakenChoice {
  readonly choice: number;
  readonly of: number;
}

/** Advances the last call that has another choice and resets those after it; empty: all have been taken. */
export function following(taken: readonly TakenChoice[]): TakenChoice[] {
  const last = taken.findLastIndex(({ choice, of }) => choice + 1 < of);
  return taken.slice(0, last + 1).map((own, i) => (i === last ? { ...own, choice: own.choice + 1 } : own));
}

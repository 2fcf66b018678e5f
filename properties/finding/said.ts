/** What a finding says, for people alone: what is expected and what was observed. Nothing reads it back. */
export interface Said {
  readonly expected: string;
  readonly observed: string;
}

/** A finding, told from others by its tag. */
export interface Tagged {
  readonly is: string;
}

/** The words of each of these findings. */
export type SaidWords<F extends Tagged> = {
  readonly [T in F['is']]: (finding: Extract<F, { readonly is: T }>) => Said;
};

/** What a finding says in these words. */
export function saidOf<F extends Tagged>(words: SaidWords<F>, finding: F): Said {
  const say: (finding: never) => Said = words[finding.is as F['is']];
  return say(finding as never);
}

/** `a, b`; what is said of an empty list. */
export function listed(what: readonly string[], none: string): string {
  return what.join(', ') || none;
}

/** `once`, `2 times`; what is said of none. */
export function times(count: number, none: string): string {
  return count === 1 ? 'once' : count === 0 ? none : `${count} times`;
}

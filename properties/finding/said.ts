/** What a finding says, for people alone: expected and observed. No code reads it back. */
export interface Said {
  readonly expected: string;
  readonly observed: string;
}

/** A finding, distinguished by its tag. */
export interface Tagged {
  readonly is: string;
}

/** The words for each of these findings. */
export type SaidWords<F extends Tagged> = {
  readonly [T in F['is']]: (finding: Extract<F, { readonly is: T }>) => Said;
};

/** Renders a finding with these words. */
export function saidOf<F extends Tagged>(words: SaidWords<F>, finding: F): Said {
  const say: (finding: never) => Said = words[finding.is as F['is']];
  return say(finding as never);
}

/** `a, b`; the words for an empty list. */
export function listed(what: readonly string[], none: string): string {
  return what.join(', ') || none;
}

/** `never`, `once`, `twice`, `3 times`. */
export function times(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`;
}

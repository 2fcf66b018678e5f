/*
 * A search consists of parts that are independent of each other: several machines can work on them, and their results
 * put together are those of one run.
 */

/** Which parts of a search are worked on. */
export interface Share {
  /**
   * Known parts have been worked on before; those that are elsewhere are left to others. Parts that have a number are
   * dealt out in turn.
   */
  readonly ask: (part: string, number?: number) => AskedPart;
  /** Told before the work on a part. */
  readonly begin: (part: string) => void;
  /** Told the result of a part: plain data. */
  readonly keep: (part: string, result: unknown) => void;
}

export type AskedPart =
  | { readonly is: 'here' }
  | { readonly is: 'elsewhere' }
  | { readonly is: 'known'; readonly result: unknown };

/** All parts are worked on here. */
export const WHOLE: Share = { ask: () => ({ is: 'here' }), begin: () => {}, keep: () => {} };

/** The result of a part, which may have a number; undefined: it is left to others. */
export function workOn<T>(share: Share, part: string, work: () => T, number?: number): T | undefined {
  const asked = share.ask(part, number);
  if (asked.is !== 'here') return resultOf<T>(asked);
  share.begin(part);
  const result = work();
  share.keep(part, result);
  return result;
}

/** The same for work in steps. */
export function* stepsOn<S, T>(
  share: Share,
  part: string,
  work: () => Generator<S, T, boolean>,
): Generator<S, T | undefined, boolean> {
  const asked = share.ask(part);
  if (asked.is !== 'here') return resultOf<T>(asked);
  share.begin(part);
  const result = yield* work();
  share.keep(part, result);
  return result;
}

/** The result that the code which asks for a part has kept of it. */
function resultOf<T>(asked: Exclude<AskedPart, { readonly is: 'here' }>): T | undefined {
  return asked.is === 'known' ? (asked.result as T) : undefined;
}

import fc from 'fast-check';
import type { Action, ActionOf } from '../../../model/client/all.ts';

/** Actions of one kind and how often they are drawn among the others. */
export type Weighed = fc.WeightedArbitrary<Action>;

export function weighed(weight: number, arbitrary: fc.Arbitrary<Action>): Weighed {
  return { weight, arbitrary };
}

/** One of several kinds of things, by what it is made of. */
export function weighedAs<T, U>(
  weight: number,
  drawn: fc.Arbitrary<T>,
  as: (drawn: T) => U,
): fc.WeightedArbitrary<U> {
  return { weight, arbitrary: drawn.map(as) };
}

type Fields<D extends Action['do']> = {
  readonly [K in Exclude<keyof ActionOf<D>, 'do'>]: fc.Arbitrary<ActionOf<D>[K]>;
};

/** Actions of one kind from the choices of each of their fields. */
export function actions<D extends Action['do']>(weight: number, kind: D, fields: Fields<D>): Weighed {
  const record: Record<string, fc.Arbitrary<unknown>> = { do: fc.constant(kind), ...fields };
  return weighed(weight, fc.record(record) as fc.Arbitrary<unknown> as fc.Arbitrary<Action>);
}

/** `ops#1` … `ops#3`. */
export function named(kind: string, most: number): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: most }).map((n) => `${kind}#${n}`);
}

/** True one time in ten; false is simpler. */
export const rarely: fc.Arbitrary<boolean> = fc.integer({ min: 0, max: 9 }).map((n) => n === 9);

/**
 * A finding of a law or a design from outside the tree, in words of its own, for people alone. Those of the
 * tree have tags, which distinguish known breaches from new ones.
 */
export interface OwnFinding {
  readonly is: 'in-own-words';
  /** `every program sees the call`. */
  readonly expected: string;
  /** `prog#1 does not`. */
  readonly observed: string;
}

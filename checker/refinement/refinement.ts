import type { Behaviour } from './behaviour.ts';
import type { Difference } from './difference.ts';
import { differenceOf } from './difference.ts';
import type { Alphabet, Letter } from './letter.ts';
import { lettersFor, spellLetter } from './letter.ts';

/** A history whose last operation in one kernel has an observation that another does not allow. */
export interface Distinguishing {
  readonly letters: readonly Letter[];
  readonly difference: Difference;
}

/** The result of comparing two kernels. */
export interface ComparedDesigns {
  /** The shortest histories that distinguish them; none: there are none within the bound. */
  readonly found: readonly Distinguishing[];
  /** Histories up to the length that was reached. */
  readonly histories: bigint;
  /** Operations that were compared for all of them, and the pairs of states in which they were. */
  readonly operations: number;
  readonly pairs: number;
  /** Operations of the longest that were all compared. */
  readonly length: number;
}

/** Two states in lockstep: one history that reaches them, and the number of such histories. */
interface Pair {
  readonly a: number;
  readonly b: number;
  readonly letters: readonly Letter[];
  histories: bigint;
}

/** Two kernels, and the histories to compare them on. */
export interface RefinementQuestion {
  readonly a: Behaviour;
  readonly b: Behaviour;
  readonly alphabet: Alphabet;
  /** Operations of a history, at most. */
  readonly length: number;
  /** Longer ones are requested later. */
  readonly goesOn: boolean;
}

/**
 * Whether one kernel's every observation is allowed by another, on every history up to a length: both advance in
 * lockstep, all shorter histories before longer ones, and pairs of states that were met before count for all
 * histories that reach them. It requests all histories of one length from both, yields until they are answered, and
 * receives whether to stop.
 */
export function* refinement(question: RefinementQuestion): Generator<void, ComparedDesigns, boolean> {
  const search = new Search(question);
  for (let length = 1; length <= question.length; length++) {
    const level = search.takeLevel();
    for (const pair of level) search.ask(pair, length === question.length && !question.goesOn);
    if (yield) return search.result(length - 1);
    for (const pair of level) search.visit(pair);
    if (search.found.length > 0) return search.result(length);
  }
  return search.result(question.length);
}

class Search {
  readonly found: Distinguishing[] = [];
  operations = 0;
  private pairs = 0;
  private histories = 0n;
  private next = new Map<string, Pair>([['', { a: 0, b: 0, letters: [], histories: 1n }]]);

  constructor(private readonly question: RefinementQuestion) {}

  /** The pairs of states that histories of one length reach. */
  takeLevel(): readonly Pair[] {
    const level = [...this.next.values()];
    this.next = new Map();
    return level;
  }

  /** Requests all operations in a pair of states. */
  ask(pair: Pair, areLast: boolean): void {
    const { a, b } = this.question;
    const letters = this.lettersFor(pair);
    a.ask(pair.a, letters, areLast);
    b.ask(pair.b, letters, areLast);
  }

  /** Compares their observations. */
  visit(pair: Pair): void {
    this.pairs++;
    for (const letter of this.lettersFor(pair)) this.compare(pair, letter);
  }

  private lettersFor(pair: Pair): Letter[] {
    return lettersFor(this.question.alphabet, this.question.a.clientIn(pair.a));
  }

  private compare(pair: Pair, letter: Letter): void {
    const name = spellLetter(letter);
    const { a, b } = this.question;
    const edge = a.after(pair.a, name);
    const other = b.after(pair.b, name);
    this.operations++;
    this.histories += pair.histories;
    const difference = differenceOf(edge.shown, other.shown, a.callsIn(pair.a));
    const letters = [...pair.letters, letter];
    if (difference !== undefined) this.found.push({ letters, difference });
    else if (edge.next !== undefined && other.next !== undefined) {
      const { histories } = pair;
      const key = `${edge.next} ${other.next}`;
      const met = this.next.get(key);
      if (met === undefined) this.next.set(key, { a: edge.next, b: other.next, letters, histories });
      else met.histories += histories;
    }
  }

  result(length: number): ComparedDesigns {
    const { found, operations, pairs, histories } = this;
    return { found, operations, pairs, histories, length };
  }
}

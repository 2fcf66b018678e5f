import { NumberList } from './number-list.ts';

/** States between two parents that are written in full. */
const BLOCK = 256;
/** The code of a state that is written apart. */
const APART = 255;
/** States of a page; the last one doubles from the block on until it is full. */
const PAGE = 1 << 14;

/**
 * For each state its parent and the move from there. A breadth-first search visits parents in order, so one is a
 * little after that of the state before: both numbers together are one of few pairs, and take a byte; others are
 * written apart.
 */
export class FoundFrom {
  private readonly codes: Uint8Array[] = [];
  private readonly codeOf = new Map<number, number>();
  private readonly steps: number[] = [];
  private readonly moves: number[] = [];
  /** Of each first state of a block. */
  private readonly parents = new NumberList();
  /** States that are written apart, in order; for each its parent and move. */
  private readonly apart = new NumberList();
  private readonly apartParents = new NumberList();
  private readonly apartMoves = new NumberList();
  private latest = -1;
  private size = 0;

  get bytes(): number {
    const lists = [this.parents, this.apart, this.apartParents, this.apartMoves];
    const codes = this.codes.reduce((sum, { length }) => sum + length, 0);
    return lists.reduce((sum, { bytes }) => sum + bytes, codes);
  }

  push(parent: number, move: number): void {
    const number = this.size++;
    if (number % BLOCK === 0) {
      this.makeRoom(number % PAGE);
      this.parents.push(parent);
    }
    const code = this.codeFor(parent - this.latest, move);
    this.codes.at(-1)![number % PAGE] = code;
    this.latest = parent;
    if (code !== APART) return;
    this.apart.push(number);
    this.apartParents.push(parent);
    this.apartMoves.push(move);
  }

  private makeRoom(inPage: number): void {
    if (inPage === 0) this.codes.push(new Uint8Array(BLOCK));
    const last = this.codes.at(-1)!;
    if (inPage < last.length) return;
    const larger = new Uint8Array(2 * inPage);
    larger.set(last);
    this.codes[this.codes.length - 1] = larger;
  }

  private codeFor(step: number, move: number): number {
    if (step < 0 || step > 255 || move < 0 || move >= 2 ** 40) return APART;
    const key = move * 256 + step;
    let code = this.codeOf.get(key);
    if (code === undefined && this.steps.length < APART) {
      this.codeOf.set(key, (code = this.steps.length));
      this.steps.push(step);
      this.moves.push(move);
    }
    return code ?? APART;
  }

  parentOf(number: number): number {
    const first = number - (number % BLOCK);
    let parent = this.parents.get(first / BLOCK);
    for (let other = first + 1; other <= number; other++) {
      const code = this.code(other);
      parent = code === APART ? this.apartParents.get(this.placeApart(other)) : parent + this.steps[code]!;
    }
    return parent;
  }

  moveTo(number: number): number {
    const code = this.code(number);
    return code === APART ? this.apartMoves.get(this.placeApart(number)) : this.moves[code]!;
  }

  /** Those of all states, in their order. */
  saved(): { readonly parents: Int32Array; readonly moves: Int32Array } {
    const parents = new Int32Array(this.size);
    const moves = new Int32Array(this.size);
    let apart = 0;
    for (let number = 0; number < this.size; number++) {
      const code = this.code(number);
      const isApart = code === APART;
      const before = number === 0 ? -1 : parents[number - 1]!;
      parents[number] = isApart ? this.apartParents.get(apart) : before + this.steps[code]!;
      moves[number] = isApart ? this.apartMoves.get(apart++) : this.moves[code]!;
    }
    return { parents, moves };
  }

  private code(number: number): number {
    return this.codes[Math.floor(number / PAGE)]![number % PAGE]!;
  }

  private placeApart(number: number): number {
    let [from, to] = [0, this.apart.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.apart.get(middle) < number) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

import { bitsFor, HashedBlock } from './hashed-block.ts';

/** Bits of a number in a page. */
const PAGE_BITS = 14;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;
/** Pairs that the last page has room for at first. */
const FIRST = 64;

/** Slots in use at most, and how much larger the next table is. */
const LOAD = 0.8;
const GROWTH = 1.4;
/** Bits of the second plane, and of both together, at most. */
const LOW = 32;
const BITS_MOST = 48;
/** Pairs that may come before the next question whether the table becomes larger. */
const SOON = 2048;
/** Blocks in which a larger table is filled; meanwhile each pair of a block takes 12 bytes more. */
const BLOCKS = 2;
/** How many hashes there are; computed in each look-up, the power took a twentieth of a search. */
const HASHES = 2 ** 32;

/**
 * Numbers pairs of numbers in the order of their coming, exactly. A pair takes no more bits than the largest numbers
 * so far, in pages, so that only the last one is copied when it grows, and no array is large. An open hash table has in
 * each slot the number of a pair, and in the bits that are left a part of its hash:
 *
 * ```text
 *   slot    rest of the hash | number + 1
 *   pair    left | right      of which the lower 32 bits are in one plane, the others in another
 * ```
 */
export class PairNumbers {
  size = 0;
  private leftBits = 1;
  private rightBits = 1;
  private readonly low: Uint32Array[] = [];
  private readonly high: Uint16Array[] = [];
  private slots = new Uint32Array(64);
  private most = Math.floor(64 * LOAD);
  /** Bits of a slot for the number. */
  private numberBits = 6;
  private inNumber = 63;

  /** It becomes larger with one of the next pairs. */
  get growsSoon(): boolean {
    return this.size + SOON > this.most;
  }

  get bytes(): number {
    const planes = [...this.low, ...this.high];
    return planes.reduce((sum, { byteLength }) => sum + byteLength, this.slots.byteLength);
  }

  /** The number of a pair, which is new when it is the former size. */
  numberOf(left: number, right: number): number {
    const hash = hashOf(left, right);
    const known = this.search(left, right, hash);
    if (known >= 0) return known;
    if (left >>> this.leftBits !== 0 || right >>> this.rightBits !== 0) this.widen(left, right);
    const number = this.size++;
    this.makeRoom(number);
    this.put(number, left, right);
    if (this.size > this.most) this.grow();
    else this.slots[-1 - known] = this.slotOf(hash, number);
    return number;
  }

  /** The number of a pair; −1: it has none. */
  find(left: number, right: number): number {
    return Math.max(-1, this.search(left, right, hashOf(left, right)));
  }

  leftOf(number: number): number {
    const low = this.low[number >>> PAGE_BITS]![number & IN_PAGE]!;
    const { rightBits } = this;
    const lower = low >>> rightBits;
    return this.high.length === 0
      ? lower
      : lower | (this.high[number >>> PAGE_BITS]![number & IN_PAGE]! << (LOW - rightBits));
  }

  rightOf(number: number): number {
    return this.low[number >>> PAGE_BITS]![number & IN_PAGE]! & ((1 << this.rightBits) - 1);
  }

  /** The parts of all pairs from a number on, left and right of each. */
  since(number: number): number[] {
    const parts: number[] = [];
    for (let own = number; own < this.size; own++) parts.push(this.leftOf(own), this.rightOf(own));
    return parts;
  }

  /** The number of a pair; if it has none, −1 − its slot. */
  private search(left: number, right: number, hash: number): number {
    const { slots, numberBits, inNumber, low, rightBits } = this;
    const { length } = slots;
    const rest = hash << numberBits;
    const isKept = left >>> this.leftBits === 0 && right >>> rightBits === 0;
    const lower = ((left << rightBits) | right) >>> 0;
    let place = placeOf(hash, length);
    for (let slot = slots[place]!; slot !== 0; slot = slots[place]!) {
      if (((slot ^ rest) & ~inNumber) === 0 && isKept) {
        const number = (slot & inNumber) - 1;
        if (low[number >>> PAGE_BITS]![number & IN_PAGE] === lower && this.isHigh(number, left))
          return number;
      }
      if (++place === length) place = 0;
    }
    return -1 - place;
  }

  /** Whether the upper plane has that of a pair with this left part. */
  private isHigh(number: number, left: number): boolean {
    if (this.high.length === 0) return true;
    return this.high[number >>> PAGE_BITS]![number & IN_PAGE] === left >>> (LOW - this.rightBits);
  }

  private slotOf(hash: number, number: number): number {
    return (hash << this.numberBits) | (number + 1);
  }

  private put(number: number, left: number, right: number): void {
    const { rightBits } = this;
    this.low[number >>> PAGE_BITS]![number & IN_PAGE] = (left << rightBits) | right;
    if (this.high.length > 0) this.high[number >>> PAGE_BITS]![number & IN_PAGE] = left >>> (LOW - rightBits);
  }

  /** The last page doubles until it is full, so that a small table is small. */
  private makeRoom(number: number): void {
    const { low, high } = this;
    const page = number >>> PAGE_BITS;
    const inPage = number & IN_PAGE;
    if (inPage !== 0 && inPage < low[page]!.length) return;
    const length = inPage === 0 ? FIRST : 2 * inPage;
    const lower = new Uint32Array(length);
    if (inPage !== 0) lower.set(low[page]!);
    low[page] = lower;
    if (this.leftBits + this.rightBits <= LOW) return;
    const upper = new Uint16Array(length);
    if (inPage !== 0) upper.set(high[page]!);
    high[page] = upper;
  }

  /** Makes room for larger numbers in all pairs. */
  private widen(left: number, right: number): void {
    const before = [this.leftBits, this.rightBits] as const;
    const leftBits = Math.max(before[0], bitsFor(left));
    const rightBits = Math.max(before[1], bitsFor(right));
    if (leftBits + rightBits > BITS_MOST || rightBits >= LOW)
      throw new Error('more different parts of states than fit');
    const isHigh = leftBits + rightBits > LOW;
    if (isHigh && this.high.length === 0)
      for (const { length } of this.low) this.high.push(new Uint16Array(length));
    for (let number = 0; number < this.size; number++) {
      [this.leftBits, this.rightBits] = before;
      const ownLeft = this.leftOf(number);
      const ownRight = this.rightOf(number);
      [this.leftBits, this.rightBits] = [leftBits, rightBits];
      this.put(number, ownLeft, ownRight);
    }
    [this.leftBits, this.rightBits] = [leftBits, rightBits];
  }

  private grow(): void {
    const length = Math.ceil(this.slots.length * GROWTH);
    this.most = Math.floor(length * LOAD);
    this.numberBits = bitsFor(this.most + 1);
    if (this.numberBits >= LOW) throw new Error('more states than a store can number');
    this.inNumber = 2 ** this.numberBits - 1;
    this.slots = new Uint32Array(length);
    const block = new HashedBlock(Math.ceil(this.size / BLOCKS), length);
    for (let first = 0; first < this.size; first += block.hashes.length) this.fill(first, block);
  }

  /** Puts a block of pairs, from the first of their numbers on, into their slots. */
  private fill(first: number, block: HashedBlock): void {
    const { slots } = this;
    const { length } = slots;
    const { hashes, sortedHashes, sortedNumbers } = block;
    const count = Math.min(hashes.length, this.size - first);
    for (let i = 0; i < count; i++) hashes[i] = hashOf(this.leftOf(first + i), this.rightOf(first + i));
    block.sort(first, count);
    for (let i = 0; i < count; i++) {
      const hash = sortedHashes[i]!;
      let place = placeOf(hash, length);
      while (slots[place] !== 0) if (++place === length) place = 0;
      slots[place] = this.slotOf(hash, sortedNumbers[i]!);
    }
  }
}

/** The slot of a hash: its upper bits, as the rest is its lower ones. */
function placeOf(hash: number, length: number): number {
  return ((hash / HASHES) * length) >>> 0;
}

function hashOf(left: number, right: number): number {
  let hash = Math.imul(left ^ 0x811c9dc5, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ right, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

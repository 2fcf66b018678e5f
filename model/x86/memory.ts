import { CONSTANT, UNDEFINED } from './origin.ts';
import type { Word } from './word.ts';

/** What an access to a region may be; a region's permission is a set of these bits. */
export const READ = 1;
export const WRITE = 2;
export const EXECUTE = 4;

/**
 * A mapped range of addresses: its bytes, a tag beside each byte (`origin.ts`), and its permission.
 *
 * `words` and `tagWords` are the same storage seen four bytes at a time. `base` is 8-byte aligned and `size`
 * a multiple of 8, so an aligned access never leaves the storage that the bounds check admitted. A region does
 * not cross a multiple of 2^32: the high halves of its addresses are all equal.
 */
export interface Region {
  readonly name: string;
  readonly base: Word;
  readonly size: number;
  readonly permission: number;
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly tags: Uint8Array;
  readonly tagWords: Int32Array;
  readonly code: CodeCache;
}

/**
 * The decoded form of an executable region: `opAt[offset]` is the index of the instruction that starts at that
 * offset, 0 while it has not been decoded, BREAK where a run has to stop. Filled by execution, never in
 * advance, so that a jump into the middle of an instruction executes what a processor would.
 */
export interface CodeCache {
  opAt: Int32Array;
  ops: Int32Array;
  count: number;
  /** Offset → decoded instruction that a breakpoint hides. */
  readonly hidden: Map<number, number>;
}

/** The `opAt` mark of a breakpoint. */
export const BREAK = -1;

/** A region of zeroed, undefined bytes. `size` is rounded up to a multiple of 8. */
export function createRegion(name: string, base: Word, size: number, permission: number): Region {
  const length = (size + 7) & ~7;
  if ((base.lo & 7) !== 0) throw new Error(`region ${name} is not 8-byte aligned`);
  if ((base.lo >>> 0) + length > 4294967296) throw new Error(`region ${name} crosses a 4 GiB boundary`);
  const bytes = new Uint8Array(length);
  const tags = new Uint8Array(length);
  const executable = (permission & EXECUTE) !== 0;
  return {
    name,
    base,
    size: length,
    permission,
    bytes,
    words: new Int32Array(bytes.buffer),
    tags,
    tagWords: new Int32Array(tags.buffer),
    code: {
      opAt: new Int32Array(executable ? length : 0),
      ops: new Int32Array(executable ? 1024 : 0),
      count: 1,
      hidden: new Map(),
    },
  };
}

/** Writes constant bytes, as a loader does, and forgets what had been decoded from the region. */
export function load(region: Region, offset: number, bytes: ArrayLike<number>): void {
  if (offset + bytes.length > region.size) throw new Error(`${region.name} is too small`);
  region.bytes.set(bytes, offset);
  region.tags.fill(CONSTANT, offset, offset + bytes.length);
  forgetCode(region);
}

/** Drops every decoded instruction and breakpoint of the region. */
export function forgetCode(region: Region): void {
  region.code.opAt.fill(0);
  region.code.count = 1;
  region.code.hidden.clear();
}

/** Back to zeroed, undefined bytes. */
export function clear(region: Region, from = 0, to = region.size): void {
  region.bytes.fill(0, from, to);
  region.tags.fill(UNDEFINED, from, to);
}

/** The region that holds all of `[address, address + size)`, or undefined. */
export function findRegion(regions: readonly Region[], address: Word, size: number): Region | undefined {
  for (const region of regions) {
    if (offsetIn(region, address.hi, address.lo) + size <= region.size) return region;
  }
  return undefined;
}

/** Offset of an address from the start of a region; at least `region.size` when it lies outside. */
export function offsetIn(region: Region, hi: number, lo: number): number {
  return hi === region.base.hi ? (lo - region.base.lo) >>> 0 : 2 ** 32;
}

/** The aligned eight bytes at an offset. */
export function readWord(region: Region, offset: number): Word {
  return { lo: region.words[offset >> 2]!, hi: region.words[(offset >> 2) + 1]! };
}

/** Sets eight aligned bytes and their tags (CONSTANT unless given). */
export function writeWord(region: Region, offset: number, word: Word, tags?: { lo: number; hi: number }): void {
  const at = offset >> 2;
  region.words[at] = word.lo;
  region.words[at + 1] = word.hi;
  region.tagWords[at] = tags?.lo ?? 0x01010101;
  region.tagWords[at + 1] = tags?.hi ?? 0x01010101;
}

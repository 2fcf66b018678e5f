import { cell } from './cell.ts';
import { CONSTANT, CONSTANT4, UNDEFINED } from './origin.ts';
import { HEADER } from './shared.ts';
import type { Word } from './word.ts';

/** What an access to a region may be; a region's permission is a set of these bits. */
export const READ = 1;
export const WRITE = 2;
export const EXECUTE = 4;

/** The regions that a machine maps. */
export interface RegionSpec {
  readonly name: string;
  /** 8-byte aligned where it can be written. */
  readonly base: Word;
  /** Bytes; rounded up to a multiple of 8. */
  readonly size: number;
  readonly permission: number;
  /** Bytes from the start that may be written, when not all: a stack ends where its caller's frame begins. */
  readonly writableBytes?: number;
}

/**
 * A mapped range of addresses: its bytes, a tag beside each byte (`origin.ts`), and its permission.
 *
 * `words` and `tagWords` are the same storage seen four bytes at a time, little-endian as the machine that
 * runs us; both lie in the machine's arena, from int32 index `wordsAt` and `tagsAt` on. A region does not
 * cross a multiple of 2^32: the high halves of its addresses are all equal. There are no pages: permission is
 * that of a region, and an address in none of them is not mapped.
 */
export interface Region {
  readonly name: string;
  readonly number: number;
  readonly base: Word;
  readonly size: number;
  readonly permission: number;
  readonly writableBytes: number;
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  readonly tags: Uint8Array;
  readonly tagWords: Int32Array;
  readonly wordsAt: number;
  readonly tagsAt: number;
  readonly code: CodeCache;
}

/**
 * The decoded instructions of an executable region. `rowAt[offset]` is the arena index of the row of the
 * instruction that starts there, 0 while it has not been decoded. Filled by execution, never in advance of
 * what execution can reach, so that a jump into the middle of an instruction executes what a CPU would:
 * several rows may then overlap in bytes.
 *
 * All but the full rows lies in the arena, for both engines decode and link.
 */
export interface CodeCache {
  readonly rowAt: Int32Array;
  /** Arena index of the first short row, and how many there are room for. */
  readonly rowsAt: number;
  readonly capacity: number;
  /** Rows in use. */
  readonly count: number;
  /** Arena indices of the links from other regions' rows into this one's; the header says how many. */
  readonly incoming: Int32Array;
  /** The full rows (`instruction.ts`), by the same number, as far as there is space and they were needed. */
  details: Int32Array;
  /** Counts how often the code was forgotten: a full row of an earlier generation is none. */
  generation: number;
}

/** Most regions ever hold a few dozen instructions, and many none: full rows that there is room for with the first. */
const ROWS_AT_FIRST = 64;
const NO_ROWS = new Int32Array(0);

/** Int32 numbers of a row (`row.ts`) in the arena. */
export const ROW_NUMBERS = 8;

/** Bytes of a region, rounded up. */
function sizeOf(spec: RegionSpec): number {
  return (spec.size + 7) & ~7;
}

/** Rows that a region can ever need: one for each byte that an instruction may start at. */
function rowsOf(spec: RegionSpec): number {
  return (spec.permission & EXECUTE) !== 0 ? sizeOf(spec) : 0;
}

/**
 * Links into a region that are noted before all of them are cut: some for a stub, and enough that an image, which is
 * forgotten soon, cuts none before.
 */
const INCOMING_MOST = 512;

function incomingOf(spec: RegionSpec): number {
  return Math.min(rowsOf(spec), INCOMING_MOST);
}

/** Int32 numbers of arena that a region takes, beside its header. */
export function arenaNeed(spec: RegionSpec): number {
  return sizeOf(spec) / 2 + rowsOf(spec) * (ROW_NUMBERS + 1) + incomingOf(spec);
}

/** Where a region goes in the arena: int32 index of its header, and of all the rest. */
export interface RegionPlace {
  readonly header: number;
  readonly offset: number;
}

/** Lays a region of undefined zeroes out in the arena. */
export function mapRegion(
  arena: Int32Array,
  { header, offset }: RegionPlace,
  spec: RegionSpec,
  number: number,
): Region {
  const size = sizeOf(spec);
  const { name, base } = spec;
  if ((base.lo & 7) !== 0 && (spec.permission & WRITE) !== 0)
    throw new Error(`region ${name} is not 8-byte aligned`);
  if ((base.lo >>> 0) + size >= 4294967296) throw new Error(`region ${name} crosses a 4 GiB boundary`);
  const tagsAt = offset + size / 4;
  const code = layOutCode(arena, header, tagsAt + size / 4, spec);
  const writableBytes = spec.writableBytes ?? size;
  arena.set([base.lo, base.hi, size, spec.permission, writableBytes, offset, tagsAt], header);
  return {
    name,
    number,
    base,
    size,
    permission: spec.permission,
    writableBytes,
    bytes: new Uint8Array(arena.buffer, offset * 4, size),
    words: arena.subarray(offset, offset + size / 4),
    tags: new Uint8Array(arena.buffer, tagsAt * 4, size),
    tagWords: arena.subarray(tagsAt, tagsAt + size / 4),
    wordsAt: offset,
    tagsAt,
    code,
  };
}

/** Rows, where they are by their instruction's offset, and links into them: one after the other. */
function layOutCode(arena: Int32Array, header: number, rowsAt: number, spec: RegionSpec): CodeCache {
  const capacity = rowsOf(spec);
  const rowAt = rowsAt + capacity * ROW_NUMBERS;
  const incoming = rowAt + capacity;
  const most = incomingOf(spec);
  arena.set([rowsAt, capacity, 0, rowAt, incoming, 0, most], header + HEADER.ROWS_AT);
  return {
    rowAt: arena.subarray(rowAt, incoming),
    rowsAt,
    capacity,
    get count() {
      return cell(arena, header + HEADER.COUNT);
    },
    incoming: arena.subarray(incoming, incoming + most),
    details: NO_ROWS,
    generation: 1,
  };
}

/** Makes room for the full row of a number, with this number of fields. */
export function makeRoom(code: CodeCache, number: number, fields: number): void {
  const { details } = code;
  if ((number + 1) * fields <= details.length) return;
  const rows = Math.max(ROWS_AT_FIRST, 2 ** Math.ceil(Math.log2(number + 1)));
  code.details = new Int32Array(rows * fields);
  code.details.set(details);
}

/** Back to zeroed, undefined bytes. */
export function clear(region: Region, from = 0, to = region.size): void {
  region.bytes.fill(0, from, to);
  region.tags.fill(UNDEFINED, from, to);
}

/** Writes constant bytes, as a loader does. The machine has to forget what it decoded (`forgetCode()`). */
export function writeBytes(region: Region, offset: number, bytes: ArrayLike<number>): void {
  if (offset + bytes.length > region.size)
    throw new Error(`${region.name} is too small for ${bytes.length} bytes`);
  region.bytes.set(bytes, offset);
  region.tags.fill(CONSTANT, offset, offset + bytes.length);
}

/** Offset of an address from the start of a region; at least `region.size` when it lies outside. */
export function offsetIn(region: Region, hi: number, lo: number): number {
  return hi === region.base.hi ? (lo - region.base.lo) >>> 0 : 2 ** 32;
}

/** The aligned eight bytes at an offset. */
export function readWord(region: Region, offset: number): Word {
  return { lo: cell(region.words, offset >> 2), hi: cell(region.words, (offset >> 2) + 1) };
}

/** Sets eight aligned bytes and their tags (CONSTANT unless given). */
export function writeWord(
  region: Region,
  offset: number,
  word: Word,
  tagLo = CONSTANT4,
  tagHi = CONSTANT4,
): void {
  const position = offset >> 2;
  region.words[position] = word.lo;
  region.words[position + 1] = word.hi;
  region.tagWords[position] = tagLo;
  region.tagWords[position + 1] = tagHi;
}

import { detailsAt, detailsOf, isCurrent, shortFromDetails } from './full-row.ts';
import { NEXT, STOPPED } from './generic/branch.ts';
import { executeGeneric } from './generic/generic.ts';
import { FIELD } from './instruction.ts';
import type { Machine } from './machine.ts';
import { cutIncoming, headerAt, RETURNS, RETURNS_AT, raise, writeHeader } from './machine.ts';
import type { Region } from './memory.ts';
import { EXECUTE, offsetIn, ROW_NUMBERS } from './memory.ts';
import { lengthOfPlace, OP, offsetOfPlace, placeOfRow, ROW, regionOfPlace } from './row.ts';
import { HEADER } from './shared.ts';
import { int32At, shortFromBytes } from './shorten.ts';
import type { Word } from './word.ts';
import { plus } from './word.ts';

/**
 * The row of the instruction at an address, decoded if need be; 0 after raising a fault. A fault of a fetch
 * is that of the instruction at `m.rip`, the branch or the last one before the border, with the address that
 * could not be fetched.
 */
export function rowFor(m: Machine, hi: number, lo: number): number {
  for (const region of m.regions) {
    const offset = offsetIn(region, hi, lo);
    if (offset >= region.size) continue;
    if ((region.permission & EXECUTE) !== 0)
      return region.code.rowAt[offset]! || decodeRow(m, region, offset);
    raise(m, 'not executable', 'execute', { hi, lo }, 1);
    return 0;
  }
  raise(m, 'unmapped', 'execute', { hi, lo }, 1);
  return 0;
}

/**
 * Stops every run that is about to execute the instruction at an offset of a region. Only the row is marked:
 * code that reads the bytes sees none of it, and the mark is gone when the region's code is forgotten.
 */
export function setBreakpoint(m: Machine, region: Region, offset: number): void {
  const k = region.code.rowAt[offset]! || decodeRow(m, region, offset);
  if (k > 0) m.arena[k] = OP.BREAK;
}

/** Whether a run that comes to an address stops there: what has not been decoded has no breakpoint. */
export function isBreakpoint(m: Machine, { hi, lo }: Word): boolean {
  const region = m.regions.find((region) => offsetIn(region, hi, lo) < region.size);
  const k = region?.code.rowAt[offsetIn(region, hi, lo)] ?? 0;
  return k > 0 && m.arena[k] === OP.BREAK;
}

/** Sets `m.rip` to the instruction of a row. */
export function standAt(m: Machine, k: number): void {
  const place = m.arena[k + ROW.PLACE]!;
  const { base } = m.regions[regionOfPlace(place)]!;
  m.rip.hi = base.hi;
  m.rip.lo = (base.lo + offsetOfPlace(place)) | 0;
}

/** The generic execution of a row's instruction; returns the row to continue at, 0 when the run stops. */
export function executeSlowly(m: Machine, k: number): number {
  standAt(m, k);
  const place = m.arena[k + ROW.PLACE]!;
  const { hi, lo } = m.rip;
  const nextLo = (lo + lengthOfPlace(place)) | 0;
  const region = m.regions[regionOfPlace(place)]!;
  const details = detailsOf(m, region, k);
  const outcome = executeGeneric(m, region.code.details, details, nextLo);
  if (outcome === STOPPED) return 0;
  // The rip of a failed fetch is that of the branch, as it is for the short forms.
  if (outcome !== NEXT) {
    const to = { ...m.rip };
    standAt(m, k);
    return rowFor(m, to.hi, to.lo);
  }
  // A store into its own region has dropped this row with all others: its link is no longer valid.
  const forgotten = region.code.count === 0;
  return (forgotten ? 0 : m.arena[k + ROW.NEXT]!) || rowFor(m, hi, nextLo);
}

/** The row after `k`, which it is linked to from now on. */
export function followNext(m: Machine, k: number): number {
  standAt(m, k);
  const next = rowFor(m, m.rip.hi, (m.rip.lo + lengthOfPlace(m.arena[k + ROW.PLACE]!)) | 0);
  if (next > 0) link(m, k, ROW.NEXT, next);
  return next;
}

/** The target row of a direct branch, which it is linked to from now on. */
export function followBranch(m: Machine, k: number): number {
  standAt(m, k);
  const { hi, lo } = directTarget(m, k);
  const target = rowFor(m, hi, lo);
  if (target > 0) link(m, k, ROW.TARGET, target);
  return target;
}

/**
 * The target of a direct branch. One that was decoded in full has it in IMM; of one that was not, which has
 * no prefix, the displacement is the last byte of two, or the last four of more. Displacements count from the
 * end of the instruction.
 */
function directTarget(m: Machine, k: number): Word {
  const place = m.arena[k + ROW.PLACE]!;
  const { bytes, base, code } = m.regions[regionOfPlace(place)]!;
  const details = detailsAt(code, k);
  if (isCurrent(code, details))
    return { hi: code.details[details + FIELD.IMM_HI]!, lo: code.details[details + FIELD.IMM_LO]! };
  const length = lengthOfPlace(place);
  const end = offsetOfPlace(place) + length;
  const by = length === 2 ? (bytes[end - 1]! << 24) >> 24 : int32At(bytes, end - 4);
  return plus(base, end + by);
}

/**
 * The row at a return address, remembered for the next return there. The cache is direct-mapped, by the low
 * bits of the address: a collision replaces the entry.
 */
export function followReturn(m: Machine, k: number, hi: number, lo: number): number {
  standAt(m, k);
  const target = rowFor(m, hi, lo);
  const offset = RETURNS_AT + (lo & (RETURNS - 1)) * 4;
  m.arena[offset] = lo;
  m.arena[offset + 1] = hi;
  m.arena[offset + 2] = target;
  return target;
}

/**
 * Sets a link; one to another region is cut when that region's code is forgotten. Links inside a region need
 * no note: they are forgotten with it.
 */
function link(m: Machine, k: number, field: number, to: number): void {
  m.arena[k + field] = to;
  const owner = regionOfPlace(m.arena[to + ROW.PLACE]!);
  if (owner !== regionOfPlace(m.arena[k + ROW.PLACE]!)) noteIncoming(m, m.regions[owner]!, k + field);
}

/**
 * Notes a link into a region. Rows are used again for other images, so the same places come again and again: a list that is
 * full is emptied, and what it had noted is cut.
 */
function noteIncoming(m: Machine, region: Region, link: number): void {
  const { incoming } = region.code;
  const count = headerAt(region.number) + HEADER.INCOMING;
  if (m.arena[count]! >= incoming.length) {
    const kept = m.arena[link]!;
    cutIncoming(m, region);
    m.arena[link] = kept;
  }
  incoming[m.arena[count]!] = link;
  m.arena[count]!++;
}

/** Rows that are decoded ahead of execution at once. */
const AHEAD = 64;

/**
 * Decodes the instruction at an offset of a region and the straight line after it, as far as that is plain
 * sailing: an instruction that is not modelled is an error only when a run gets there. Returns the first row,
 * or 0 after raising a fault.
 *
 * The line ends at a return, at a jump, at an instruction that has a row already, and after a fixed number of
 * rows. A branch that may fall through does not end it.
 */
function decodeRow(m: Machine, region: Region, offset: number): number {
  const { code, base, bytes, size } = region;
  const { arena, engine } = m;
  if (m.regionsMove) writeHeader(arena, region);
  const decoded = engine === undefined ? 0 : engine.decode(region.number, offset);
  if (decoded > 0) return decoded;
  const { rowAt } = code;
  const noted = region === m.journalled;
  const count = headerAt(region.number) + HEADER.COUNT;
  const first = code.rowsAt + code.count * ROW_NUMBERS;
  let previous = 0;
  for (let position = offset; position < size && code.count < code.capacity; ) {
    const known = rowAt[position]!;
    // Rows are numbered in the order of decoding: the details of row n are at n * FIELDS.
    const k = known > 0 ? known : code.rowsAt + code.count * ROW_NUMBERS;
    if (previous > 0) arena[previous + ROW.NEXT] = k;
    if (known > 0) break;
    let length = shortFromBytes(bytes, position, arena, k, (base.lo + position) | 0, base.hi);
    if (length === 0 || position + length > size)
      length = shortFromDetails(m, region, position, k, previous === 0);
    if (length === 0) {
      if (previous === 0) return 0;
      arena[previous + ROW.NEXT] = 0;
      break;
    }
    if (noted) note(arena, k);
    arena[k + ROW.NEXT] = 0;
    arena[k + ROW.TARGET] = 0;
    arena[k + ROW.PLACE] = placeOfRow(region.number, position, length);
    rowAt[position] = k;
    arena[count]!++;
    // The compiled loop decodes what follows itself.
    if (engine !== undefined) break;
    if (arena[k] === OP.RETURN || arena[k] === OP.JUMP || k - first > AHEAD * ROW_NUMBERS) break;
    previous = k;
    position += length;
  }
  return first;
}

/**
 * Stores of the journalled region take the form that writes them down. A store of an immediate has no such
 * form and is executed generically.
 */
function note(arena: Int32Array, k: number): void {
  if (arena[k] === OP.STORE) arena[k] = OP.STORE_NOTED;
  else if (arena[k] === OP.STORE_I) arena[k] = OP.GENERIC;
}

import { Form, Header, Parameter, Permission, Returns, RowByte } from './places.ts';
import { shortFromBytes } from './shorten.ts';

/*
 * Finding, decoding and linking rows: `link.ts` of the directory above, for all that has a short form. Rows are named by
 * their index in the arena, as there; 0 is "the caller has to see to it".
 */

/** The row of the instruction at an address. */
export function rowFor(address: u64): u32 {
  const end: u32 = Header.FIRST + load<u32>(Parameter.REGIONS) * Header.BYTES;
  for (let header: u32 = Header.FIRST; header < end; header += Header.BYTES) {
    const offset = address - load<u64>(header, Header.BASE);
    if (offset >= <u64>load<u32>(header, Header.SIZE)) continue;
    if ((load<u32>(header, Header.PERMISSION) & Permission.EXECUTE) === 0) return 0;
    const known = load<u32>(rowAt(header, <u32>offset));
    return known !== 0 ? known : decodeFrom(header, <u32>offset);
  }
  return 0;
}

/** The row of the instruction at an offset of a region that has none there. */
export function decode(region: u32, offset: u32): u32 {
  return decodeFrom(Header.FIRST + region * Header.BYTES, offset);
}

/** Where the row at an offset of a region is noted. */
function rowAt(header: u32, offset: u32): u32 {
  return (load<u32>(header, Header.ROW_AT) + offset) << 2;
}

/** Rows that are decoded ahead of execution at once. */
const AHEAD: u32 = 64;

/**
 * Decodes the instruction at an offset and the straight line after it; the first row. The line ends at a return, at a jump, at an int3,
 * at an instruction that has a row or no short form, the end of the region, and after a fixed number of rows.
 */
function decodeFrom(header: u32, offset: u32): u32 {
  const size = load<u32>(header, Header.SIZE);
  const bytes = load<u32>(header, Header.WORDS_AT) << 2;
  const base = load<u64>(header, Header.BASE);
  const number = (header - Header.FIRST) / Header.BYTES;
  const isNoted = number === load<u32>(Parameter.JOURNALLED);
  const first = load<u32>(header, Header.COUNT);
  const most = min(load<u32>(header, Header.CAPACITY), first + AHEAD);
  const rows = load<u32>(header, Header.ROWS_AT);
  let count = first;
  let known: u32 = 0;
  while (count < most && offset < size) {
    known = load<u32>(rowAt(header, offset));
    if (known !== 0) break;
    const k = rows + (count << 3);
    const row = k << 2;
    const length = shortFromBytes(bytes + offset, row, base + <u64>offset);
    // Bytes past the end of the region are its tags: what they are does not matter to an instruction that ends before.
    if (length === 0 || offset + length > size) break;
    if (isNoted) note(row);
    store<u32>(row, k + 8, RowByte.NEXT);
    store<u32>(row, 0, RowByte.TARGET);
    store<u32>(row, (number << 24) | (length << 20) | offset, RowByte.PLACE);
    store<u32>(rowAt(header, offset), k);
    count++;
    offset += length;
    const form = load<u32>(row);
    const isTrap = form === Form.GENERIC && length === 1;
    if (form === Form.RETURN || form === Form.JUMP || isTrap) break;
  }
  if (count === first) return 0;
  store<u32>(header, count, Header.COUNT);
  store<u32>((rows + ((count - 1) << 3)) << 2, known, RowByte.NEXT);
  return rows + (first << 3);
}

/** Stores of the journalled region; one of a constant has no form that is written down. */
function note(row: u32): void {
  const form = load<u32>(row);
  if (form === Form.STORE) store<u32>(row, Form.STORE_NOTED);
  else if (form === Form.STORE_I) store<u32>(row, Form.GENERIC);
}

function headerOf(row: u32): u32 {
  return Header.FIRST + (load<u32>(row, RowByte.PLACE) >> 24) * Header.BYTES;
}

function addressOfRow(row: u32): u64 {
  return load<u64>(headerOf(row), Header.BASE) + <u64>(load<u32>(row, RowByte.PLACE) & 0xfffff);
}

/** The row after one, which it is linked to from now on. */
export function followNext(row: u32): u32 {
  const length = (load<u32>(row, RowByte.PLACE) >> 20) & 15;
  const next = rowFor(addressOfRow(row) + <u64>length);
  if (next !== 0) link(row, RowByte.NEXT, next);
  return next;
}

/** The target of a direct branch, which it is linked to from now on. */
export function followBranch(row: u32): u32 {
  const place = load<u32>(row, RowByte.PLACE);
  const length = (place >> 20) & 15;
  const bytes = (load<u32>(headerOf(row), Header.WORDS_AT) << 2) + (place & 0xfffff);
  const opcode = <u32>load<u8>(bytes);
  let by: i64 = 0;
  if (length === 2) by = <i64>load<i8>(bytes, 1);
  else if (length === 5) by = <i64>load<i32>(bytes, 1);
  else if (length === 6 && opcode === 0x0f) by = <i64>load<i32>(bytes, 2);
  // A prefix: the full decoder has the target.
  else return 0;
  const target = rowFor(addressOfRow(row) + <u64>length + <u64>by);
  if (target !== 0) link(row, RowByte.TARGET, target);
  return target;
}

/** The row at a return address, remembered for the next return there. */
export function followReturn(address: u64): u32 {
  const entry: u32 = Returns.AT + ((<u32>address & Returns.MASK) << 4);
  if (load<u64>(entry) === address) {
    const known = load<u32>(entry, Returns.ROW);
    if (known !== 0) return known;
  }
  const target = rowFor(address);
  if (target === 0) return 0;
  store<u64>(entry, address);
  store<u32>(entry, target, Returns.ROW);
  return target;
}

/** A link to another region is noted there, to be cut when that region's code is forgotten. */
function link(row: u32, field: u32, to: u32): void {
  const header = headerOf(to << 2);
  if (header !== headerOf(row)) {
    if (load<u32>(header, Header.INCOMING) >= load<u32>(header, Header.INCOMING_MOST)) cutIncoming(header);
    const noted = load<u32>(header, Header.INCOMING);
    store<u32>((load<u32>(header, Header.INCOMING_AT) + noted) << 2, (row + field) >> 2);
    store<u32>(header, noted + 1, Header.INCOMING);
  }
  store<u32>(row + field, to);
}

function cutIncoming(header: u32): void {
  const first = load<u32>(header, Header.INCOMING_AT) << 2;
  const end = first + (load<u32>(header, Header.INCOMING) << 2);
  for (let entry = first; entry < end; entry += 4) store<u32>(load<u32>(entry) << 2, 0);
  store<u32>(header, 0, Header.INCOMING);
}

/** Drops every decoded instruction of a region, and whatever points to one. */
export function forget(region: u32): void {
  const header: u32 = Header.FIRST + region * Header.BYTES;
  const first = load<u32>(header, Header.ROWS_AT) << 2;
  const end = first + load<u32>(header, Header.COUNT) * RowByte.BYTES;
  for (let row = first; row < end; row += RowByte.BYTES)
    store<u32>(rowAt(header, load<u32>(row, RowByte.PLACE) & 0xfffff), 0);
  store<u32>(header, 0, Header.COUNT);
  cutIncoming(header);
  memory.fill(Returns.AT, 0, Returns.BYTES);
}

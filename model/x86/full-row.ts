import { decode, ranOut } from './decode/decode.ts';
import { FIELD, FIELDS } from './instruction.ts';
import { mnemonicOf } from './listing.ts';
import type { Machine } from './machine.ts';
import { placeOf, raise } from './machine.ts';
import type { CodeCache, Region } from './memory.ts';
import { makeRoom, ROW_NUMBERS } from './memory.ts';
import { offsetOfPlace, ROW } from './row.ts';
import { shortFromFields } from './short-form.ts';
import { UnsupportedInstruction } from './unsupported.ts';

/*
 * The full rows of a region's code (`instruction.ts`), which the generic execution reads: decoded when they are needed first,
 * numbered as the short rows are.
 */

/** Where the fields of a row's instruction are in its region's details, decoded now if they were not needed. */
export function detailsOf(m: Machine, region: Region, k: number): number {
  const offset = detailsAt(region.code, k);
  if (!isCurrent(region.code, offset))
    decodeDetails(m, region, offset / FIELDS, offsetOfPlace(m.arena[k + ROW.PLACE]!), true);
  return offset;
}

/** Whether the full row at an index of the details was decoded since the code was forgotten last. */
export function isCurrent({ details, generation }: CodeCache, offset: number): boolean {
  return details[offset + FIELD.GENERATION] === generation;
}

/** Whether the instruction of a row has been decoded in full, which what has a short form never needs. */
export function isDecodedInFull(code: CodeCache, k: number): boolean {
  return isCurrent(code, detailsAt(code, k));
}

export function detailsAt(code: CodeCache, k: number): number {
  return ((k - code.rowsAt) / ROW_NUMBERS) * FIELDS;
}

function decodeDetails(m: Machine, region: Region, number: number, offset: number, needed: boolean): number {
  const { base, bytes, code } = region;
  const lo = (base.lo + offset) | 0;
  makeRoom(code, number, FIELDS);
  const length = decode(bytes, offset, code.details, number * FIELDS, base.hi, lo);
  if (length > 0) code.details[number * FIELDS + FIELD.GENERATION] = code.generation;
  if (length > 0 || !needed) return length;
  const locals = { hi: region.base.hi, lo };
  if (ranOut()) {
    raise(m, 'unmapped', 'execute', locals, region.size - offset + 1);
    return 0;
  }
  throw new UnsupportedInstruction(
    mnemonicOf(region.bytes.subarray(offset, offset + 15)),
    placeOf(m, locals),
    locals,
  );
}

/** The full decoding of an instruction, and its short form; its length, or 0 unless it is `needed` now. */
export function shortFromDetails(
  m: Machine,
  region: Region,
  offset: number,
  k: number,
  needed: boolean,
): number {
  const { code, base } = region;
  const length = decodeDetails(m, region, code.count, offset, needed);
  const end = (base.lo + offset + length) | 0;
  if (length > 0) shortFromFields(code.details, code.count * FIELDS, m.arena, k, end, base.hi);
  return length;
}

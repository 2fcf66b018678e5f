import { Oops } from '../core/oops.ts';
import { item } from '../core/present.ts';
import { bytesOfHex } from '../ftrace/entry/hex-text.ts';
import { int3Handler } from '../text/int3.ts';
import { branchTarget } from '../text/space.ts';
import type { TextPlace, TextView } from '../text/text.ts';
import { SITE_BYTES } from '../text/text.ts';
import { INT3, placeKey } from '../text/view.ts';
import { decode } from '../x86/decode/decode.ts';
import { FIELDS } from '../x86/instruction.ts';
import type { Region } from '../x86/memory.ts';
import type { Word } from '../x86/word.ts';
import type { Room } from './machine-room.ts';

/** Where the CPU continues after a kprobe's int3: an address, its instruction (true), or there it fetches again (false). */
export type Resumes = boolean | Word;

const JUMP = 'e9';
const row = new Int32Array(FIELDS);

/**
 * What a CPU does with the bytes that it has fetched at an instruction of a body. The machine has the instruction as it was
 * compiled, and executes it next, unless there was a jump, or an int3 leads elsewhere. False: the CPU fetches the place
 * again. Anything else that it fetches is what a jump has left of the instruction.
 */
export function executeProbed(
  room: Room,
  k: TextView,
  place: TextPlace,
  fetched: string,
  hit: () => Resumes,
): boolean {
  const { rip } = room.machine;
  const bytes = fetched === INT3 ? afterInt3(k, place, hit) : fetched;
  if (typeof bytes === 'boolean') return bytes;
  if (typeof bytes !== 'string') Object.assign(rip, bytes);
  else if (!isCompiled(regionOf(room, place), place.offset, bytes)) {
    if (!bytes.startsWith(JUMP) || bytes.length < 2 * SITE_BYTES)
      throw new Oops({ is: 'torn instruction', place: placeKey(place), bytes });
    Object.assign(rip, branchTarget(bytes, rip));
  }
  return true;
}

/** The handler of int3 looks for a text poke first; without one the int3 is a kprobe's. */
function afterInt3(k: TextView, place: TextPlace, hit: () => Resumes): Resumes | string {
  const trap = k.text.poke === null ? 'unhandled' : int3Handler(k, place);
  return typeof trap === 'object' ? trap.emulates : hit();
}

function regionOf({ functions, traced }: Room, { name }: TextPlace): Region {
  return item(
    traced,
    functions.findIndex((fn) => fn.name === name),
  );
}

/** Whether the bytes begin with the instruction that the machine has there, or are the beginning of it. */
function isCompiled(region: Region, offset: number, bytes: string): boolean {
  const length = Math.min(decode(region.bytes, offset, row, 0, 0, 0), bytes.length / 2);
  return bytesOfHex(bytes.slice(0, 2 * length)).every((byte, i) => byte === region.bytes[offset + i]);
}

import { entry, item } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { TextView } from '../text/text.ts';
import { printSignature } from '../trampoline/signature.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { PAGES_MOST } from './code-place.ts';
import type { Room } from './machine-room.ts';
import { createRoom } from './machine-room.ts';

/** Few states have more pages of executable memory than these; a machine with room for no more is made in half the time. */
const FEW_PAGES = 16;

/** The machines that were used last, the latest first. */
const ROOMS: Room[] = [];
const ROOMS_MOST = 48;

/**
 * The machine for a state, whatever text is in it, with the functions that a call can get to, in the state's
 * order; with `cuts`, one in which runs stop wherever others may interfere.
 *
 * Everything that a machine has fixed is in the key: the functions and their addresses, the offset of the
 * call site, the form of the entry code, the number of pages. Everything else is put right by `syncText()`
 * before each use. The cache is a list by latest use: a search asks for the same machine thousands of times
 * in a row.
 */
export function roomFor(k: TextView, functions: readonly TracedFunction[], cuts = false): Room {
  const places = placesOf(k, functions);
  const { siteOffset } = k.text;
  const { jmpEntry, kretprobe } = profileNamed(k.profile);
  const form = { ibt: siteOffset > 0, jmp: jmpEntry, fullReturn: kretprobe === 'ret_stack' };
  const slots = slotsFor(k, cuts);
  const index = ROOMS.findIndex(
    (room) =>
      room.cuts === cuts &&
      room.siteOffset === siteOffset &&
      room.pages.length === slots &&
      room.jmp === form.jmp &&
      room.fullReturn === form.fullReturn &&
      areSame(room.functions, functions) &&
      room.places.every((place, i) => place === places[i]),
  );
  const room = index < 0 ? createRoom(functions, places, form, siteOffset, slots, cuts) : item(ROOMS, index);
  if (index === 0) return room;
  if (index > 0) ROOMS.splice(index, 1);
  ROOMS.unshift(room);
  ROOMS.length = Math.min(ROOMS.length, ROOMS_MOST);
  return room;
}

/** Room for the pages that a state has. Where runs stop at cuts, pages may come while one is under way. */
function slotsFor({ text }: TextView, cuts: boolean): number {
  if (cuts) return PAGES_MOST;
  for (const name in text.pages) if (entry(text.pages, name).at >= FEW_PAGES) return PAGES_MOST;
  return FEW_PAGES;
}

/** A function's place in a list of all is its place in the address space; a shorter list keeps their order. */
function placesOf({ text }: TextView, functions: readonly TracedFunction[]): number[] {
  const places = functions.map(({ name }) => text.functions[name] ?? -1);
  const wrong = places.findIndex((place, i) => place <= (places[i - 1] ?? -1));
  if (wrong >= 0)
    throw new Error(
      `${item(functions, wrong).name} is function ${places[wrong]} of the state, and not in that order`,
    );
  return places;
}

/** Whether two lists say the same functions; most often it is a list of the very same ones. */
function areSame(a: readonly TracedFunction[], b: readonly TracedFunction[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i] && !isSame(item(a, i), item(b, i))) return false;
  return true;
}

function isSame(a: TracedFunction, b: TracedFunction): boolean {
  if (a.name !== b.name || a.id !== b.id || a.nesting !== b.nesting || a.noreturn !== b.noreturn)
    return false;
  return a.signature === b.signature || printSignature(a.signature) === printSignature(b.signature);
}

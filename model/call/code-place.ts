import type { Whereabouts } from '../core/whereabouts.ts';
import { placeName } from '../core/whereabouts.ts';
import type { Allocated } from '../text/allocated-on.ts';
import { allocatedOn } from '../text/allocated-on.ts';
import {
  cFunctionOfStub,
  ENTRY_BYTES,
  ENTRY_CODE,
  FUNCTION_BYTES,
  PAGE_BYTES,
  SPACE,
  STUB_BYTES,
} from '../text/space.ts';
import type { TextView } from '../text/text.ts';
import type { Word } from '../x86/word.ts';
import { displacement, toHex } from '../x86/word.ts';

/** Pages of executable memory that a machine has room for at a time, and programs that have a stub. */
export const PAGES_MOST = 64;
export const PROGRAMS_MOST = 300;

/** The content of an address: nothing, a free page, an object. */
type Found = Allocated | 'free' | undefined;

/** A part of the address space: things of one size next to each other, by number. */
interface Block {
  readonly base: Word;
  readonly itemBytes: number;
  /** What lies there, at an offset from the start of the item, if that is anything. */
  readonly name: (k: TextView, item: number, offset: number) => Found;
}

/**
 * The address space of `text/space.ts` from an address back to a name. Pages are where the kernel has its
 * module area: images, and copies of entry code by create_trampoline() in arch/x86/kernel/ftrace.c.
 */
const BLOCKS: readonly Block[] = [
  { base: SPACE.FUNCTIONS, itemBytes: FUNCTION_BYTES, name: functionNamed },
  { base: SPACE.ENTRIES, itemBytes: ENTRY_BYTES, name: (_, item) => called(ENTRY_CODE[item]) },
  { base: SPACE.STUBS, itemBytes: STUB_BYTES, name: (k, item) => called(cFunctionOfStub(k, item)) },
  { base: SPACE.PROGRAMS, itemBytes: STUB_BYTES, name: programNamed },
  { base: SPACE.PAGES, itemBytes: PAGE_BYTES, name: pageNamed },
];

/**
 * Name of a code address in a state: `f2+0x9`, `replacement`, `ops#1.trampoline+0x4b`, `prog#3`. Memory that is not
 * allocated is `page 3+0x10`, what is no code at all a number.
 */
export function codePlace(k: TextView, address: Word): string {
  return placeName(whereabouts(k, address));
}

/** The same as a fact. */
export function whereabouts(k: TextView, address: Word): Whereabouts {
  for (const { base, itemBytes, name } of BLOCKS) {
    const offset = displacement(address, base);
    if (offset === undefined || offset < 0) continue;
    const inItem = offset % itemBytes;
    const item = Math.floor(offset / itemBytes);
    const found = name(k, item, inItem);
    // A jump to freed memory is a finding: the report names the page, for its object is gone.
    if (found === 'free') return { in: 'free page', page: item, offset: inItem };
    if (found !== undefined) return { in: 'named', name: found.name, offset: inItem - found.start };
  }
  return { in: 'nothing', address: toHex(address) };
}

function functionNamed(k: TextView, order: number): Found {
  const { functions } = k.text;
  for (const name in functions) if (functions[name] === order) return { name, start: 0 };
  return undefined;
}

function programNamed(_: TextView, number: number): Found {
  return number > 0 && number <= PROGRAMS_MOST ? { name: `prog#${number}`, start: 0 } : undefined;
}

function called(name: string | undefined): Found {
  return name === undefined ? undefined : { name, start: 0 };
}

function pageNamed(k: TextView, index: number, offset: number): Found {
  return allocatedOn(k, index, offset) ?? (index < PAGES_MOST ? 'free' : undefined);
}

import { item } from '../core/present.ts';
import { pageOn } from '../text/allocated-on.ts';
import { ipAt } from '../text/body-address.ts';
import { cFunctionOfStub, STUB_BYTES } from '../text/space.ts';
import type { TextPlace, TextView } from '../text/text.ts';
import { SITE_BYTES } from '../text/text.ts';
import type { Region } from '../x86/memory.ts';
import { offsetIn } from '../x86/memory.ts';
import type { Word } from '../x86/word.ts';
import type { Room } from './machine-room.ts';
import { bringPage } from './sync-text.ts';

/** What a task in a call is about to do. */
export type Stand =
  /** A function in C; a program has its number. */
  | { readonly at: 'C function'; readonly name: string; readonly number: number }
  /** An instruction that may be changed while it is executed. */
  | { readonly at: 'place'; readonly place: TextPlace }
  /** The first instruction of a traced function's body. */
  | { readonly at: 'body' }
  /** Any other instruction. */
  | { readonly at: 'text' };

/**
 * The instruction or function at an address, in a machine whose text is that of the state. `text` is every
 * place where no other actor can make a difference, also memory that is not mapped: the fault comes when the
 * instruction is fetched.
 */
export function standAt(room: Room, k: TextView, { hi, lo }: Word): Stand {
  const region = regionAt(room, k, { hi, lo });
  if (region === undefined) return { at: 'text' };
  const offset = offsetIn(region, hi, lo);
  if (region === room.cFunctions) return cFunction(cFunctionOfStub(k, offset / STUB_BYTES), 0);
  if (region === room.programs) return cFunction(`prog#${offset / STUB_BYTES}`, offset / STUB_BYTES);
  const order = room.traced.indexOf(region);
  if (order >= 0) return inFunction(room, order, offset);
  const call = room.inner.find((inner) => inner.region === region && inner.offset === offset);
  if (call !== undefined) return { at: 'place', place: { kind: 'inner', name: call.name, offset } };
  return inPage(room, k, region, offset);
}

/** With cuts, a page is in the machine from its first access on. */
function regionAt(room: Room, k: TextView, address: Word): Region | undefined {
  const isThere = (region: Region) => offsetIn(region, address.hi, address.lo) < region.size;
  const region = room.regions.find(isThere);
  return region !== undefined || !room.cuts || !bringPage(room, k, address)
    ? region
    : room.regions.find(isThere);
}

function cFunction(name: string | undefined, number: number): Stand {
  return name === undefined ? { at: 'text' } : { at: 'C function', name, number };
}

function inFunction({ functions, siteOffset, probed }: Room, order: number, offset: number): Stand {
  const { name } = item(functions, order);
  if (probed.size > 0 && probed.has(ipAt(name, offset)))
    return { at: 'place', place: { kind: 'probed', name, offset } };
  if (offset === siteOffset) return { at: 'place', place: { kind: 'site', name, offset: 0 } };
  return { at: offset === siteOffset + SITE_BYTES ? 'body' : 'text' };
}

/**
 * A patchable instruction of an image: the NOP at `im->ip_after_call`, which bpf_tramp_image_put() in
 * kernel/bpf/trampoline.c turns into a jump to the epilogue, or, in generation C, the NOP before each
 * program (bpf_tramp_image_add_skip()).
 */
function inPage({ pages }: Room, k: TextView, region: Region, offset: number): Stand {
  const index = pages.findIndex(({ mapped }) => mapped === region);
  if (index < 0 || !item(pages, index).patchable.includes(offset)) return { at: 'text' };
  const name = pageOn(k.text, index) ?? region.name;
  return { at: 'place', place: { kind: 'page', name, offset } };
}

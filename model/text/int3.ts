import { Oops } from '../core/oops.ts';
import { entry, item, present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { Word } from '../x86/word.ts';
import { compare, plus } from '../x86/word.ts';
import { addressOf } from './space.ts';
import type { PokeEntry, TextPlace, TextView, TextWorld } from './text.ts';
import { readText, siteAddress } from './text.ts';
import { INT3, placeKey } from './view.ts';

/*
 * The handler of int3, with what it holds:
 *
 * ```text
 *   try_get_desc()   a reference of the batch that is published, if one is
 *   the search       in the entries of that batch: text_poke_bp_batch() does not end before
 *   put_desc()
 *   kprobe_int3_handler(), if the batch has no entry for the place
 * ```
 *
 * Interrupts are disabled throughout: an IPI of text_poke_sync() waits. Without a batch to hold it is one step; with one it
 * is two, the reference, and the rest.
 */

/** The result of a breakpoint: the instruction to emulate, another fetch, or a trap that no handler takes. */
export type Int3Trap = { readonly emulates: string } | 'fetch again' | 'unhandled';

/**
 * poke_int3_handler(), arch/x86/kernel/alternative.c; smp_text_poke_int3_handler() since 6.16. It emulates the
 * new instruction of the place, so that between the first sync and the last all CPUs behave alike. Up to 6.7 kprobe_int3_handler() takes a trap that came too
 * late for its batch, if memory holds no int3 any more, and executes the place again; later such a trap is fatal.
 */
export function int3Handler(k: TextView, place: TextPlace): Int3Trap {
  const { poke } = k.text;
  const found = poke === null || poke.refs === 0 ? undefined : searched(k, poke.vec, place);
  if (found !== undefined) return { emulates: found.to };
  const isGone = readText(k, place, 1) !== INT3;
  return isGone && profileNamed(k.profile).lateInt3Retries ? 'fetch again' : 'unhandled';
}

/** try_get_desc(), since 6.16 try_get_text_poke_array(): whether there is a batch, which the handler holds from then on. */
export function tryGetDesc({ text }: TextWorld): boolean {
  const { poke } = text;
  if (poke === null || poke.refs === 0) return false;
  poke.refs++;
  text.inInt3++;
  return true;
}

/** Throws an Oops when there is no batch any more to search in: text_poke_bp_batch() has not waited for the handler. */
export function searchHeld({ text }: TextView, place: TextPlace): void {
  if (text.poke === null) throw new Oops({ is: 'retired batch', place: placeKey(place) });
}

/** put_desc(), since 6.16 put_text_poke_array(). */
export function putDesc({ text }: TextWorld): void {
  present(text.poke ?? undefined, 'batch of the int3 handler').refs--;
  text.inInt3--;
}

/**
 * The binary search of the handler (patch_cmp()): in a batch that is not sorted by address it may miss its entry.
 */
function searched(k: TextView, vec: readonly PokeEntry[], place: TextPlace): PokeEntry | undefined {
  const wanted = addressOfPlace(k, place);
  let from = 0;
  let to = vec.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = compare(wanted, addressOfPlace(k, item(vec, middle).place));
    if (order === 0) return placeKey(item(vec, middle).place) === placeKey(place) ? vec[middle] : undefined;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return undefined;
}

/** The entry code that holds each inner call. */
const INNER_IN: Readonly<Record<string, string>> = {
  ftrace_call: 'ftrace_caller',
  ftrace_regs_call: 'ftrace_regs_caller',
  bpf_dispatcher_xdp_call: 'bpf_dispatcher_xdp_call',
};

/** Address of a place that may be patched. */
export function addressOfPlace(k: TextView, { kind, name, offset }: TextPlace): Word {
  if (kind === 'site') return siteAddress(k, name);
  if (kind === 'page' || kind === 'probed') return plus(addressOf(k, name), offset);
  return plus(addressOf(k, entry(INNER_IN, name)), offset);
}

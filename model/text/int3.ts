import { entry, item } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { Word } from '../x86/word.ts';
import { compare, plus } from '../x86/word.ts';
import { addressOf } from './space.ts';
import type { PokeEntry, TextPlace, TextView } from './text.ts';
import { readText, siteAddress } from './text.ts';
import { INT3, placeKey } from './view.ts';

/** The result of a breakpoint: the instruction to emulate, another fetch, or a trap that no handler takes. */
export type Int3Trap = { readonly emulates: string } | 'fetch again' | 'unhandled';

/**
 * poke_int3_handler(), arch/x86/kernel/alternative.c; smp_text_poke_int3_handler() since 6.16. It emulates the
 * new instruction of the place, so that between the first sync and the last all CPUs behave alike. It runs
 * without locks: `bp_desc.refs` protects the batch. Up to 6.7 kprobe_int3_handler() takes a trap that came too
 * late for its batch, if memory holds no int3 any more, and executes the place again; later such a trap is fatal.
 */
export function int3Handler(k: TextView, place: TextPlace): Int3Trap {
  const { poke } = k.text;
  const found = poke === null || poke.refs === 0 ? undefined : searched(k, poke.vec, place);
  if (found !== undefined) return { emulates: found.to };
  const isGone = readText(k, place, 1) !== INT3;
  return isGone && profileNamed(k.profile).lateInt3Retries ? 'fetch again' : 'unhandled';
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

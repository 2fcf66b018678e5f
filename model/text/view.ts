import type { TextPlace, TextView, TextWorld } from './text.ts';
import { readText, SITE_BYTES } from './text.ts';

/**
 * What a CPU may still fetch although memory has changed: for each place that was written since the CPU last
 * serialised itself. Without an entry it fetches what memory holds.
 */
export type View = Record<string, Lag>;

/** Older values of an instruction's first byte and of its other four, the oldest first, as hexadecimal text. */
export interface Lag {
  readonly heads: readonly string[];
  readonly tails: readonly string[];
  /** Whole instructions that were at this place, or will be. */
  readonly whole: readonly string[];
}

/**
 * What a CPU fetches at a place, and its view afterwards: once it has seen a byte, it does not see an older one.
 */
export interface Fetch {
  readonly bytes: string;
  /** The bytes belong to two instructions. */
  readonly torn: boolean;
  /** The place is being changed, or was until the CPU's next sync. */
  readonly changing: boolean;
  readonly view: View;
}

export const INT3 = 'cc';

export function placeKey({ kind, name, offset }: TextPlace): string {
  return kind === 'page' || kind === 'probed' ? `${name}+0x${offset.toString(16)}` : name;
}

/** Remembers for every CPU the bytes of a place before a part of it is overwritten. */
export function keepOlder(k: TextWorld, place: TextPlace, part: 'heads' | 'tails'): void {
  if (k.text.views.length === 0) return;
  const key = placeKey(place);
  const now = readText(k, place, SITE_BYTES);
  const old = part === 'heads' ? now.slice(0, 2) : now.slice(2);
  const known = wholeAt(k, key);
  for (const view of k.text.views) {
    const { heads, tails, whole } = view[key] ?? { heads: [], tails: [], whole: [] };
    const all = { heads, tails, whole: [...new Set([...whole, ...known])] };
    view[key] = { ...all, [part]: [...all[part], old] };
  }
}

/** text_poke_sync(): an IPI to every CPU, which serialises it. From here on each fetches what memory holds. */
export function syncCores(k: TextWorld): void {
  for (let i = 0; i < k.text.views.length; i++) k.text.views[i] = {};
}

/** Whether every CPU takes the IPI: one in the int3 handler does not before it has left. */
export function takesIpi({ text }: TextView): boolean {
  return text.inInt3 === 0;
}

/**
 * All fetches that are possible at a place: any head and any tail that the CPU may still see, together. A pair
 * that is neither the old nor the new instruction is torn, unless its head is int3.
 */
export function fetches(k: TextView, view: View, place: TextPlace): Fetch[] {
  const key = placeKey(place);
  const now = readText(k, place, SITE_BYTES);
  const { heads, tails, whole } = view[key] ?? { heads: [], tails: [], whole: [] };
  const allowed = new Set([...whole, ...wholeAt(k, key)]);
  const found = new Map<string, Fetch>();
  for (let h = 0; h <= heads.length; h++)
    for (let t = 0; t <= tails.length; t++) {
      const head = heads[h] ?? now.slice(0, 2);
      const tail = tails[t] ?? now.slice(2);
      const bytes = head === INT3 ? INT3 : head + tail;
      const torn = head !== INT3 && allowed.size > 0 && !allowed.has(bytes);
      const seen = { heads: heads.slice(h), tails: head === INT3 ? tails : tails.slice(t), whole };
      found.set(JSON.stringify([bytes, seen]), {
        bytes,
        torn,
        changing: allowed.size > 0,
        view: withLag(view, key, seen),
      });
    }
  return [...found.values()];
}

/** Places keep their order: equal views are spelled equally. */
function withLag(view: View, key: string, lag: Lag): View {
  if (lag.heads.length + lag.tails.length > 0) return { ...view, [key]: lag };
  const { [key]: _, ...others } = view;
  return others;
}

/** The instructions before and after, as the batch that is under way has them. */
function wholeAt({ text: { poke } }: TextView, key: string): string[] {
  const entry = poke?.vec.find(({ place }) => placeKey(place) === key);
  return entry === undefined ? [] : [entry.from, entry.to];
}

import { entry, last } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import type { Word } from '../x86/word.ts';
import { compare } from '../x86/word.ts';
import { functionOf, probedAt } from './body-address.ts';
import { addressOfPlace } from './int3.ts';
import type { TextPlace, TextView, TextWorld } from './text.ts';
import { readText, writeText } from './text.ts';
import { INT3, keepOlder, placeKey, syncCores, takesIpi } from './view.ts';

/*
 * Cross-modifying code: live instructions are replaced while other CPUs may execute them. A call site is five
 * bytes; memory and what a CPU may fetch differ until that CPU serialises itself (`view.ts`).
 *
 * ```text
 *   step               byte 0  bytes 1–4  a CPU that reaches the site
 *   -----------------  ------  ---------  ------------------------------------------------------
 *   publish the batch  old     old        executes the old instruction
 *   write int3         cc      old        executes the old instruction or traps
 *   sync after int3    cc      old        traps: the int3 handler emulates the new instruction
 *   write tails        cc      new        traps
 *   sync after tails   cc      new        traps
 *   write heads        new     new        traps or executes the new instruction
 *   sync after heads   new     new        executes the new instruction
 *   retire the batch   new     new        the same; an int3 would find no batch: unhandled
 * ```
 *
 * 1. The caller holds `text_mutex`, so there is one batch at a time, and the batch is published (`bp_desc.refs` =
 *    1) before the first int3 can be hit.
 * 2. The first byte becomes int3, which is atomic on x86, and text_poke_sync() sends an IPI to every CPU:
 *    afterwards none executes the old first byte.
 * 3. Only then is the tail written, because a CPU that still has the old first byte would fetch an instruction of
 *    two halves.
 * 4. The first byte of the new instruction follows after a second sync, and a third one makes sure that no CPU
 *    can hit the int3 any more.
 * 5. The batch is retired last; a trap that arrives after that is an unhandled breakpoint, which is why the third
 *    sync must not be dropped. The handler of any int3 takes a reference of the batch before it searches in it:
 *    the entries are on the stack of the caller, or of the next batch, once none is left.
 */

/** One change of a batch (`struct text_poke_loc`): an instruction of up to five bytes. */
export interface Poke {
  readonly place: TextPlace;
  readonly to: string;
}

interface Args {
  pokes: readonly Poke[];
}

/**
 * text_poke_bp_batch(), arch/x86/kernel/alternative.c; smp_text_poke_batch_finish() since 6.16. The three rounds
 * run over the whole batch, so that a batch costs three IPI broadcasts whatever its size. A handler that still holds
 * the batch at its end came from another int3, that of a kprobe: the last sync has waited for those of its own.
 */
export const textPokeBpBatch = routine<TextWorld, Args>('text_poke_bp_batch', ({ step, when }) => [
  step('publish the batch', (k, { pokes }) => {
    const vec = pokes.map(({ place, to }) => ({ place, from: readText(k, place, to.length / 2), to }));
    k.text.poke = { refs: 1, vec };
  }),
  step('write int3', (k, { pokes }) => {
    for (const { place } of pokes) write(k, place, 'heads', INT3);
  }),
  step('sync after int3', syncCores, takesIpi),
  step('write tails', (k, { pokes }) => {
    for (const { place, to } of pokes) write(k, place, 'tails', to.slice(2));
  }),
  step('sync after tails', syncCores, takesIpi),
  step('write heads', (k, { pokes }) => {
    for (const { place, to } of pokes) write(k, place, 'heads', to.slice(0, 2));
    for (const { place } of pokes) {
      const name = place.kind === 'probed' ? placeKey(place) : place.name;
      k.text.pokes[name] = (k.text.pokes[name] ?? 0) + 1;
    }
  }),
  step('sync after heads', syncCores, takesIpi),
  step('retire the batch', (k) => {
    const { poke } = k.text;
    if (poke !== null && --poke.refs === 0) k.text.poke = null;
  }),
  when('a handler holds it', (k) => k.text.poke !== null, [
    step(
      'wait for the handlers',
      (k) => {
        k.text.poke = null;
      },
      (k) => k.text.poke?.refs === 0,
    ),
  ]),
]);

/** `TP_VEC_MAX`, since 6.16 `TEXT_POKE_ARRAY_MAX`: a page of `struct text_poke_loc`. */
const TP_VEC_MAX = 256;

interface QueueLocals extends Args {
  batch: readonly Poke[];
}

/**
 * text_poke_flush() of text_poke_queue(), and text_poke_finish(); smp_text_poke_batch_add() since 6.16. A
 * batch is poked before it gets more than it holds, or an address below its last (tp_order_fail()): the int3 handler
 * searches it by address.
 */
export const textPokeFlush = routine<TextWorld, Args, QueueLocals>('text_poke_flush', ({ each, call }) => [
  each<readonly Poke[]>(
    'batch',
    batchesOf,
    (locals, batch) => {
      locals.batch = batch;
    },
    [call(textPokeBpBatch, (_, { batch }) => ({ pokes: batch }))],
  ),
]);

function batchesOf(k: TextView, { pokes }: Args): Poke[][] {
  const batches: Poke[][] = [];
  let queued: Word | undefined;
  for (const poke of pokes) {
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === TP_VEC_MAX) {
      batches.push([poke]);
      queued = undefined;
      continue;
    }
    const address = addressOfPlace(k, poke.place);
    if (compare(address, queued ?? addressOfPlace(k, last(batch).place)) < 0) batches.push([poke]);
    else batch.push(poke);
    queued = address;
  }
  return batches;
}

/** Writes a part of an instruction. Memory changes at once; what each CPU may still fetch is kept until its next sync. */
export function write(k: TextWorld, place: TextPlace, part: 'heads' | 'tails', bytes: string): void {
  const from = part === 'heads' ? 0 : 1;
  keepOlder(k, place, part);
  if (place.kind === 'probed') keepOlderWithin(k, place, place.offset + from, bytes.length / 2);
  writeText(k, place, from, bytes);
}

/** Other instructions of a body that have a byte of those which are written. */
function keepOlderWithin(
  k: TextWorld,
  { kind, name, offset }: TextPlace,
  first: number,
  bytes: number,
): void {
  for (const ip in k.text.probed) {
    const other = probedAt(ip).offset;
    if (functionOf(ip) !== name || other === offset) continue;
    const place: TextPlace = { kind, name, offset: other };
    if (other >= first && other < first + bytes) keepOlder(k, place, 'heads');
    const end = other + entry(k.text.probed, ip).length / 2;
    if (Math.max(other + 1, first) < Math.min(end, first + bytes)) keepOlder(k, place, 'tails');
  }
}

/**
 * ftrace_verify_code(), and the memcmp() in __bpf_arch_text_poke(): text that holds anything else is not touched.
 */
export function holds(k: TextView, place: TextPlace, expected: string): boolean {
  return readText(k, place, expected.length / 2) === expected;
}

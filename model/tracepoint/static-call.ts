import type { Part } from '../core/part.ts';
import { entry, item } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { addressOfPlace } from '../text/int3.ts';
import type { Poke } from '../text/poke.ts';
import { textPokeBpBatch } from '../text/poke.ts';
import { addressOf, branchBytes, branchTarget } from '../text/space.ts';
import type { TextPlace } from '../text/text.ts';
import { NOP5, readText } from '../text/text.ts';
import { plus } from '../x86/word.ts';
import type { TracepointView, TracepointWorld } from './tracepoint.ts';
import { siteName, tracepointNamed } from './tracepoint.ts';

/*
 * The two instructions of a tracepoint's site that change: the static key's, a nop or a jump to the slow path,
 * and the static call of the probe or of the iterator. CPUs may be executing both; each is poked by a batch of
 * its own, under `text_mutex`.
 */

interface CallArgs {
  tracepoint: string;
  func: string;
}

/**
 * __static_call_update() and arch_static_call_transform(), arch/x86/kernel/static_call.c. `static_call_mutex` is
 * held. The trampoline that modules call through is not modelled.
 */
export const staticCallUpdate = routine<TracepointWorld, CallArgs>(
  '__static_call_update',
  ({ holding, finish, step, call }) => [
    holding('static_call_mutex', [
      finish('it calls it already', (k, { tracepoint, func }) => {
        return tracepointNamed(k, tracepoint).call === func;
      }),
      step('note the function', (k, { tracepoint, func }) => {
        tracepointNamed(k, tracepoint).call = func;
      }),
      holding('text_mutex', [
        call(textPokeBpBatch, (k, { tracepoint, func }) => ({ pokes: [callPoke(k, tracepoint, func)] })),
      ]),
    ]),
  ],
);

interface KeyArgs {
  tracepoint: string;
  on: boolean;
}

/**
 * static_key_enable() and static_key_disable(), by arch_jump_label_transform() of arch/x86/kernel/jump_label.c.
 * `jump_label_mutex` is held; the key's own count changes after the text.
 */
export const staticKeySet = routine<TracepointWorld, KeyArgs>(
  'static_key_enable',
  ({ holding, finish, step, call }): Part[] => [
    holding('jump_label_mutex', [
      finish('it is so already', (k, { tracepoint, on }) => tracepointNamed(k, tracepoint).key === on),
      holding('text_mutex', [
        call(textPokeBpBatch, (k, { tracepoint, on }) => ({ pokes: [keyPoke(k, tracepoint, on)] })),
      ]),
      // static_key_enable(): the count is set after the text, so a second caller waits for the mutex.
      step('note it', (k, { tracepoint, on }) => {
        tracepointNamed(k, tracepoint).key = on;
      }),
    ]),
  ],
);

/** The key's instruction is the first patchable one of a site, the static call the second. */
function placeOf(k: TracepointView, tracepoint: string, which: 0 | 1): TextPlace {
  const name = siteName(tracepoint);
  return { kind: 'page', name, offset: item(entry(k.text.pages, name).patchable ?? [], which) };
}

/** A `call rel32`, whatever it called before: arch_static_call_transform(). */
function callPoke(k: TracepointView, tracepoint: string, func: string): Poke {
  const place = placeOf(k, tracepoint, 1);
  return { place, to: branchBytes('e8', addressOfPlace(k, place), addressOf(k, func)) };
}

/** The slow path comes after the site's own `ret`, of one byte. */
function keyPoke(k: TracepointView, tracepoint: string, on: boolean): Poke {
  const place = placeOf(k, tracepoint, 0);
  const address = addressOfPlace(k, place);
  return { place, to: on ? branchBytes('e9', address, plus(address, SLOW_PATH)) : NOP5 };
}

/** Bytes from the static key's instruction to the slow path: itself, and a return. */
export const SLOW_PATH = 6;

/** Whether the text of a tracepoint agrees with its struct: two short texts if not. */
export function siteDisagreement(
  k: TracepointView,
  tracepoint: string,
): { readonly expected: string; readonly observed: string } | undefined {
  const { key, call } = tracepointNamed(k, tracepoint);
  const found = readText(k, placeOf(k, tracepoint, 0), 5);
  if (found !== keyPoke(k, tracepoint, key).to)
    return {
      expected: `the key of ${tracepoint} is ${key ? 'on' : 'off'}`,
      observed: `its site holds ${found}`,
    };
  const place = placeOf(k, tracepoint, 1);
  const bytes = readText(k, place, 5);
  if (bytes === callPoke(k, tracepoint, call).to) return undefined;
  const to = branchTarget(bytes, addressOfPlace(k, place));
  return { expected: `${siteName(tracepoint)} calls ${call}`, observed: `it calls ${to.lo.toString(16)}` };
}

import { hasReturned } from '../../model/call/call-frame.ts';
import type { ActionOf } from '../../model/client/all.ts';
import { probesInOrder } from '../../model/contract/promised-hits.ts';
import type { ProbePromise } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import { isTracepoint, tracepointNamed } from '../../model/tracepoint/tracepoint.ts';
import { toBigInt, toHex, ZERO } from '../../model/x86/word.ts';
import type { Moment } from '../law/sequence-law.ts';

/** A hit: what each probe is owed, in call order, and what was seen. */
export interface ExpectedHit {
  readonly owed: readonly CallEvent[];
  readonly seen: readonly CallEvent[];
}

/** The hit of an action; undefined when it is none, or did not return. */
export function hitIn({ action, outcome, promises, after }: Moment): ExpectedHit | undefined {
  if (action.do !== 'call' || !isTracepoint(after, action.fn)) return undefined;
  if (outcome.call === undefined || outcome.died !== undefined || !hasReturned(outcome.call))
    return undefined;
  const owed = probesInOrder(promises, action.fn).map((probe) => eventOf(after, probe, action));
  return { owed, seen: outcome.call.events };
}

/** A probe gets the words as passed; a program gets the bytes of each argument, zero-extended. */
function eventOf(k: KernelView, { who, data, program }: ProbePromise, action: ActionOf<'call'>): CallEvent {
  const { sizes } = tracepointNamed(k, action.fn);
  const { fn, registers, stack } = action;
  const words = sizes.map((_, i) => registers[i] ?? stack[i - registers.length] ?? ZERO);
  if (program === undefined)
    return { kind: 'tracepoint probe', who, fn, args: words.map(toHex), data: data ?? '' };
  const narrow = words.map(
    (word, i) => `0x${BigInt.asUintN(8 * item(sizes, i), toBigInt(word)).toString(16)}`,
  );
  const args = (program.accesses ?? narrow.map((_, i) => i)).map((i) => item(narrow, i));
  const hasCookie = profileNamed(k.profile).rawTracepointData === 'link';
  return { kind: 'program', who, fn, args, ...(hasCookie ? { cookie: toHex(program.cookie) } : {}) };
}

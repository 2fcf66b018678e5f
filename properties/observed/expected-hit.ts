import { hasReturned } from '../../model/call/call-frame.ts';
import type { ActionOf } from '../../model/client/all.ts';
import { probesInOrder } from '../../model/contract/promised-hits.ts';
import type { ProbePromise } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import { isTracepoint, tracepointNamed } from '../../model/tracepoint/tracepoint.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import { toHex, ZERO, zeroExtended } from '../../model/x86/word.ts';
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
  const owed = probesInOrder(promises, action.fn).flatMap((probe) => eventsOf(after, probe, action));
  return { owed, seen: outcome.call.events };
}

/** A probe gets the words as passed; a program gets the bytes of each argument, zero-extended. */
function eventsOf(
  k: KernelView,
  probe: ProbePromise,
  { fn, registers, stack }: ActionOf<'call'>,
): CallEvent[] {
  const { sizes } = tracepointNamed(k, fn);
  const words = sizes.map((_, i) => registers[i] ?? stack[i - registers.length] ?? ZERO);
  const narrow = words.map((word, i) => toHex(zeroExtended(word, item(sizes, i))));
  const { who, data, program, programs } = probe;
  if (programs !== undefined)
    return programs.map(({ program: own, cookie }) => ({
      ...runOf(own, fn, narrow),
      cookie: toHex(cookie),
    }));
  if (program === undefined)
    return [{ kind: 'tracepoint probe', who, fn, args: words.map(toHex), data: data ?? '' }];
  const hasCookie = profileNamed(k.profile).rawTracepointData === 'link';
  return [{ ...runOf(program, fn, narrow), ...(hasCookie ? { cookie: toHex(program.cookie) } : {}) }];
}

/** The arguments that a program reads, all by default. */
function runOf({ id, accesses }: BpfProgram, fn: string, all: readonly string[]): CallEvent {
  const args = (accesses ?? [...all.keys()]).map((i) => item(all, i));
  return { kind: 'program', who: `prog#${id}`, fn, args };
}

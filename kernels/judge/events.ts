import type { PromisedClient } from '../../model/contract/promises.ts';
import type { CallEvent, EventKind } from '../../model/core/event.ts';
import type { KernelView } from '../../model/kernel.ts';
import { addressOf } from '../../model/text/space.ts';
import { SITE_BYTES } from '../../model/text/text.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { functionNamed } from '../../model/trampoline/traced-function.ts';
import { plus, toHex } from '../../model/x86/word.ts';
import type { ExpectedCall } from '../../properties/observed/expectation.ts';
import { allCalls } from '../../properties/observed/expectation.ts';
import { eventsFor, isLate, keyOf } from '../../properties/observed/owed-events.ts';
import type { Seen } from '../history/seen.ts';
import { narrowed } from '../history/seen.ts';

/*
 * The recorder's events as the laws know them. A program does not say for which function it ran: it is taken to be that of
 * the contract, in the order in which calls begin and end; if it ran more often, the law on that says so in any case.
 * What no client was promised is left out: what a function without a return value leaves in rax, the upper bits of a
 * narrow one, the registers and cookies of kprobe.multi programs, which the recorder does not read.
 */

/** The events of a call, beside what the contract expects of it. */
export function eventsOf(k: KernelView, expected: ExpectedCall, seen: readonly Seen[]): CallEvent[] {
  const calls = allCalls(expected);
  const turns = turnsOf(expected);
  const taken = new Map<string, number>();
  return seen.map((event) => {
    if (event.kind !== 'program') return valued(k, calls, clientEvent(k, event));
    const nth = taken.get(event.who) ?? 0;
    taken.set(event.who, nth + 1);
    const own = turns.get(event.who) ?? [];
    const turn = own[nth] ?? own.at(-1) ?? { kind: 'program', fn: expected.fn, atReturn: false };
    return valued(k, calls, programEvent(k, event, turn));
  });
}

/** A run that a program is owed, of its own or as that of a perf event. */
type Turn = Pick<CallEvent, 'kind' | 'fn'> & { readonly who?: string; readonly atReturn: boolean };

/**
 * The runs that each program is owed, in order: around those of the calls that a body makes. Of a program on several events of one
 * function it cannot be seen which one it runs for: the newest is first, as it is promised.
 */
function turnsOf(expected: ExpectedCall): Map<string, Turn[]> {
  const turns = new Map<string, Turn[]>();
  const add = (call: ExpectedCall, late: boolean) => {
    for (const client of call.clients.toReversed())
      for (const hit of eventsFor(call, client)) {
        const who = client.onEvent === undefined ? hit.who : `prog#${client.onEvent.prog}`;
        if (!who.startsWith('prog#') || isAtReturn(hit, client) !== late) continue;
        turns.set(who, [...(turns.get(who) ?? []), hit]);
      }
  };
  const walk = (call: ExpectedCall): void => {
    add(call, false);
    for (const inner of call.calls) walk(inner);
    add(call, true);
  };
  walk(expected);
  return turns;
}

function isAtReturn(hit: Turn & { readonly who: string }, { program }: PromisedClient): boolean {
  return isLate(keyOf(hit)) || program?.kind === 'fexit';
}

function programEvent(k: KernelView, seen: Seen, { kind, who = seen.who, fn, atReturn }: Turn): CallEvent {
  const { args, ret, cookie, ip } = seen;
  const common = { kind, who, fn, ...(ip === undefined ? {} : { ip: addressIn(k, ip) }) };
  if (kind !== 'program') return common;
  return {
    ...common,
    ...(args === undefined ? {} : { args }),
    ...(ret === undefined ? {} : { ret }),
    ...(cookie === undefined ? {} : { cookie }),
    ...(atReturn ? { atReturn } : {}),
  };
}

/** `f1+0` as the model's address of that place; what is near no function stays as it is. */
function addressIn(k: KernelView, ip: string): string {
  const [, fn, offset = ''] = /^(\w+)\+(\d+)$/.exec(ip) ?? [];
  return fn === undefined ? ip : toHex(plus(addressOf(k, fn), Number(offset)));
}

function clientEvent(k: KernelView, { kind, fn, returnsTo, ...others }: Seen): CallEvent {
  return {
    ...others,
    kind: kind as EventKind,
    fn,
    ...(returnsTo === undefined ? {} : { returnsTo: returnPlace(k, fn, returnsTo) }),
  };
}

/**
 * Just past the call site: with IBT this is after an `endbr64`, which this kernel may be built without. Of a function that a live
 * patch sends elsewhere no place is known.
 */
function returnPlace(k: KernelView, fn: string, place: string): string {
  if (fn === '?') return 'replacement';
  const past = PAST_SITE.map((offset) => `${fn}+0x${offset.toString(16)}`);
  return past.includes(place) ? `${fn}+0x${(k.text.siteOffset + SITE_BYTES).toString(16)}` : place;
}

const ENDBR_BYTES = 4;
const PAST_SITE = [SITE_BYTES, ENDBR_BYTES + SITE_BYTES];

/** Return values by their types: where those bytes are the expected ones, the whole word is. */
function valued(k: KernelView, calls: readonly ExpectedCall[], event: CallEvent): CallEvent {
  const { ret, ...others } = event;
  const fn = functionNamed(k.functions, event.fn);
  if (ret === undefined || fn === undefined || event.kind === 'body') return event;
  if (fn.signature.ret.size === 0) return others;
  const own = calls.filter((call) => call.fn === event.fn).map(({ returns }) => returns);
  return { ...others, ret: asExpected(fn, ret, own) };
}

/** A return value as the contract has it, if it is the same by its type. */
export function asExpected(
  fn: Pick<TracedFunction, 'signature'>,
  ret: string,
  expected: readonly (string | undefined)[],
): string {
  const same = expected.find((own) => own !== undefined && sameBytes(fn, own, ret));
  return same ?? ret;
}

function sameBytes(fn: Pick<TracedFunction, 'signature'>, a: string, b: string): boolean {
  return narrowed(a, fn) === narrowed(b, fn);
}

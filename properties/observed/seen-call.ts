import type { CallRun } from '../../model/call/call-frame.ts';
import { hasReturned } from '../../model/call/call-frame.ts';
import type { ActionOf } from '../../model/client/all.ts';
import type { PromisedClient } from '../../model/contract/promises.ts';
import type { CallEvent, EventKind } from '../../model/core/event.ts';
import { item, present } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import type { Moment } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import type { ExpectedCall } from './expectation.ts';
import { allCalls, expectedCall } from './expectation.ts';
import { mayHaveCaused } from './fault-effects.ts';

/** Before the traced function's body, the body itself and the kprobes in it, after it. */
export type CallHalf = 'entry' | 'body' | 'exit';

/** An event, with its call and client. */
export interface SeenEvent {
  readonly event: CallEvent;
  readonly half: CallHalf;
  /** The call that it belongs to, and the client that saw it; undefined where no client was promised it. */
  readonly call: ExpectedCall | undefined;
  readonly client: PromisedClient | undefined;
}

/** A call that returned: what it had to show, and what it showed. */
export interface SeenCall {
  readonly expected: ExpectedCall;
  /** All calls, outermost first. */
  readonly calls: readonly ExpectedCall[];
  readonly events: readonly SeenEvent[];
  readonly run: CallRun;
}

/** Several laws judge the same action. */
const EXPECTED = new WeakMap<Moment, ExpectedCall>();

/** What the call that an action is has to show. */
export function expectedIn(moment: Moment, action: ActionOf<'call'>): ExpectedCall {
  const known = EXPECTED.get(moment);
  if (known !== undefined) return known;
  const expected = expectedCall(moment.after, moment.promises, action);
  EXPECTED.set(moment, expected);
  return expected;
}

const SEEN = new WeakMap<Moment, SeenCall>();

/** The call of an action; undefined when it is none, did not return, or ftrace is dead. */
export function seenCall(moment: Moment): SeenCall | undefined {
  const { action, outcome, after } = moment;
  if (action.do !== 'call' || outcome.call === undefined || !isAlive(moment)) return undefined;
  if (isTracepoint(after, action.fn)) return undefined;
  if (!hasReturned(outcome.call)) return undefined;
  const known = SEEN.get(moment);
  if (known !== undefined) return known;
  const expected = expectedIn(moment, action);
  const calls = allCalls(expected);
  const seen = {
    expected,
    calls,
    events: assign(calls, outcome.call.events, mayHaveCaused('filterIsStale', moment.faults)),
    run: outcome.call,
  };
  SEEN.set(moment, seen);
  return seen;
}

/** A program attached to one function by two links: an event does not say by which. */
export function isTwice({ call, client }: SeenEvent): boolean {
  return call!.clients.some((other) => other !== client && other.who === client!.who);
}

/** The candidates for an event. */
interface Place {
  readonly call: ExpectedCall;
  readonly client: PromisedClient | undefined;
}

/**
 * Events name the function, not the call. Calls of one function (`rec`) are nested, so its entries come in the order
 * of the calls and its exits in reverse. A missed call is an inner one: the outer ones have taken the nodes.
 */
function assign(calls: readonly ExpectedCall[], events: readonly CallEvent[], isStale: boolean): SeenEvent[] {
  const places = placesOf(calls);
  const totals = countsOf(events);
  const taken = new Map<string, number>();
  return events.map((event) => {
    const key = keyOf(event);
    const total = present(totals.get(key), key);
    const nth = taken.get(key) ?? 0;
    taken.set(key, nth + 1);
    const own = places.get(key) ?? [];
    const half = halfOf(event.kind, own[0]?.client, nth < total / 2);
    const place = isClear(own, total, isStale) ? own[half === 'exit' ? total - nth - 1 : nth] : undefined;
    return { event, half, call: place?.call, client: place?.client };
  });
}

/**
 * Events cannot be attributed if there are more than were promised, or, where two clients of one name share a
 * function, fewer. A kprobe whose filter is stale may be called twice per call, and the program of a link that names
 * the function twice is, unless the shadow stack is full.
 */
function isClear(own: readonly Place[], total: number, isStale: boolean): boolean {
  if (total > own.length || (isStale && own.length > 1 && isKprobe(item(own, 0)))) return false;
  if (own.length > 1 && own.some(isNamedTwice)) return false;
  return total === own.length || own[0]?.call !== own[1]?.call;
}

function isNamedTwice({ call, client }: Place): boolean {
  return (client?.ips ?? []).filter((ip) => ip === call.fn).length > 1;
}

function isKprobe({ client }: Place): boolean {
  return client?.kind === 'kprobe' || client?.kind === 'kretprobe';
}

function keyOf({ kind, who, fn }: Pick<CallEvent, 'kind' | 'who' | 'fn'>): string {
  return `${kind} ${who} ${fn}`;
}

function countsOf(events: readonly CallEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) counts.set(keyOf(event), (counts.get(keyOf(event)) ?? 0) + 1);
  return counts;
}

function placesOf(calls: readonly ExpectedCall[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  const add = (key: string, place: Place) => {
    const own = places.get(key);
    if (own === undefined) places.set(key, [place]);
    else own.push(place);
  };
  for (const call of calls) {
    if (call.runs === 'body')
      add(keyOf({ kind: 'body', who: call.fn, fn: call.fn }), { call, client: undefined });
    if (call.runs === 'replacement')
      add(keyOf({ kind: 'replacement', who: 'replacement', fn: '?' }), { call, client: undefined });
    for (const client of call.clients)
      for (const kind of KINDS_OF[client.kind])
        add(keyOf({ kind, who: client.who, fn: fnSeen(call, client) }), { call, client });
  }
  return places;
}

/** A direct trampoline knows the function by its return address, which a live patch has replaced. */
function fnSeen({ fn, clients }: ExpectedCall, { kind, ips }: PromisedClient): string {
  if (kind === 'kprobe in body') return item(ips, 0);
  return kind === 'direct' && clients.some(({ ipmodify }) => ipmodify) ? '?' : fn;
}

const KINDS_OF: Readonly<Record<PromisedClient['kind'], readonly EventKind[]>> = {
  ftrace: ['ftrace'],
  direct: ['direct'],
  graph: ['graph entry', 'graph exit'],
  kprobe: ['kprobe', 'kprobe post'],
  'kprobe in body': ['kprobe', 'kprobe post'],
  kretprobe: ['kretprobe entry', 'kretprobe'],
  fprobe: ['fprobe entry', 'fprobe exit'],
  'kprobe.multi': ['kprobe.multi', 'kprobe.multi return'],
  program: ['program'],
  extension: ['extension'],
  xdp: ['xdp program'],
};

const HALVES: Readonly<Record<Exclude<EventKind, 'program'>, CallHalf>> = {
  body: 'body',
  replacement: 'body',
  extension: 'body',
  'xdp program': 'body',
  'tracepoint probe': 'entry',
  direct: 'entry',
  ftrace: 'entry',
  'graph entry': 'entry',
  'graph exit': 'exit',
  kprobe: 'entry',
  'kprobe post': 'entry',
  'kretprobe entry': 'entry',
  kretprobe: 'exit',
  'fprobe entry': 'entry',
  'fprobe exit': 'exit',
  'kprobe.multi': 'entry',
  'kprobe.multi return': 'exit',
};

/** A session sees each call twice. */
function halfOf(kind: EventKind, client: PromisedClient | undefined, isFirstHalf: boolean): CallHalf {
  if (client?.kind === 'kprobe in body') return 'body';
  if (kind !== 'program') return HALVES[kind];
  const programKind = client?.program?.kind;
  switch (programKind) {
    case 'fexit':
      return 'exit';
    case 'fsession':
      return isFirstHalf ? 'entry' : 'exit';
    case 'fentry':
    case 'fmod_ret':
    case 'freplace':
    case undefined:
      return 'entry';
    default:
      return unreachable(programKind);
  }
}

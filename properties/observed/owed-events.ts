import type { PromisedClient } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { ToldHit } from '../finding/call-finding.ts';
import type { ExpectedCall } from './expectation.ts';

/** How often each client has to be seen, by client, kind of event and function. */
export type EventTally = Map<string, number>;

/** The client, the kind and the function of an event. */
type Seen = Pick<CallEvent, 'who' | 'kind' | 'fn' | 'atReturn'>;

/** An event without its data. */
export function hitIn({ who, fn, kind, atReturn = false }: Seen): ToldHit {
  return { who, fn, kind, atReturn };
}

/** `prog#1 sees f1 (program)`. */
export function keyOf(seen: Seen): string {
  const { who, kind, fn, atReturn } = seen;
  const key = `${who} sees ${fn} (${kind}${atReturn === true ? AT_RETURN : ''})`;
  if (!EVENTS.has(key)) EVENTS.set(key, hitIn(seen));
  return key;
}

/** The event of a key. */
export function eventOf(key: string): ToldHit {
  const event = EVENTS.get(key);
  if (event === undefined) throw new Error(`${key} is no event`);
  return event;
}

/** The events that keys were made for. */
const EVENTS = new Map<string, ToldHit>();

/** The suffix for the exit half of a session. */
export const AT_RETURN = ' at the return';

const LATE: readonly CallEvent['kind'][] = [
  'graph exit',
  'kretprobe',
  'fprobe exit',
  'kprobe.multi return',
  'kprobe post',
];

/** Events late in a call, such as the function's return, are owed by the world of that time. */
export function isLate(key: string): boolean {
  const { kind, atReturn } = eventOf(key);
  return atReturn || LATE.includes(kind);
}

export function tallyOf(keys: readonly string[]): EventTally {
  const tally: EventTally = new Map();
  for (const key of keys) tally.set(key, (tally.get(key) ?? 0) + 1);
  return tally;
}

/** The events that one call owes one client. */
export function eventsFor(call: ExpectedCall, client: PromisedClient): ToldHit[] {
  const { who, entry, exit } = client;
  if (client.onEvent?.prog === 0) return [];
  const event = (kind: CallEvent['kind'], fn = call.fn) => ({ who, fn, kind, atReturn: false });
  switch (client.kind) {
    case 'ftrace':
      return [event('ftrace')];
    case 'direct':
      return [event('direct', call.clients.some(({ ipmodify }) => ipmodify) ? '?' : call.fn)];
    case 'graph':
      return [event('graph entry'), event('graph exit')];
    case 'kprobe':
      return client.post ? [event('kprobe'), event('kprobe post')] : [event('kprobe')];
    case 'kprobe in body': {
      // Calls that stop before the body, or go elsewhere, do not reach the instruction.
      if (call.runs !== 'body') return [];
      const ip = item(client.ips, 0);
      return client.post ? [event('kprobe', ip), event('kprobe post', ip)] : [event('kprobe', ip)];
    }
    case 'kretprobe':
      return [...(entry ? [event('kretprobe entry')] : []), ...(client.vetoes ? [] : [event('kretprobe')])];
    case 'fprobe':
      return [...(entry ? [event('fprobe entry')] : []), ...(exit ? [event('fprobe exit')] : [])];
    case 'kprobe.multi':
      return [
        ...(entry ? [event('kprobe.multi')] : []),
        ...(exit && !client.vetoes ? [event('kprobe.multi return')] : []),
      ];
    case 'extension':
      return [event('extension')];
    case 'xdp':
      return call.runs === 'body' ? [event('xdp program')] : [];
    case 'program':
      return programRuns(call, client) ? programEvents(call, client) : [];
    default:
      return unreachable(client.kind);
  }
}

/** A session runs at the entry and at the return. */
function programEvents({ fn }: ExpectedCall, { who, program }: PromisedClient): ToldHit[] {
  const entry: ToldHit = { who, fn, kind: 'program', atReturn: false };
  return program!.kind === 'fsession' ? [entry, { ...entry, atReturn: true }] : [entry];
}

/** A modify-return program does not run when a newer one has stopped the chain; those of a cgroup run together. */
function programRuns({ clients }: ExpectedCall, client: PromisedClient): boolean {
  const { kind, cgroup } = client.program!;
  if (kind !== 'fmod_ret') return true;
  const newer = clients.slice(clients.indexOf(client) + 1);
  return !newer.some(
    ({ program }) =>
      program?.kind === 'fmod_ret' &&
      (program.returns.lo !== 0 || program.returns.hi !== 0) &&
      (cgroup !== true || program.cgroup !== true),
  );
}

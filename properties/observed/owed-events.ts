import type { Client } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { ExpectedCall } from './expectation.ts';

/** How often each client has to be seen, by client, kind of event and function. */
export type Tally = Map<string, number>;

/** `prog#1 sees f1 (program)`. */
export function keyOf({
  who,
  kind,
  fn,
  atReturn,
}: Pick<CallEvent, 'who' | 'kind' | 'fn' | 'atReturn'>): string {
  return `${who} sees ${fn} (${kind}${atReturn === true ? AT_RETURN : ''})`;
}

/** What is said of the half of a session that runs at the return. */
export const AT_RETURN = ' at the return';

export function tallyOf(keys: readonly string[]): Tally {
  const tally: Tally = new Map();
  for (const key of keys) tally.set(key, (tally.get(key) ?? 0) + 1);
  return tally;
}

/** The events that one call owes one client. */
export function eventsFor(call: ExpectedCall, client: Client): string[] {
  const { who, entry, exit } = client;
  const event = (kind: CallEvent['kind'], fn = call.fn) => keyOf({ who, kind, fn });
  switch (client.kind) {
    case 'ftrace':
      return [event('ftrace')];
    case 'direct':
      return [event('direct', call.clients.some(({ ipmodify }) => ipmodify) ? '?' : call.fn)];
    case 'graph':
      return [event('graph entry'), event('graph exit')];
    case 'kprobe':
      return client.post ? [event('kprobe'), event('kprobe post')] : [event('kprobe')];
    case 'kretprobe':
      return [...(entry ? [event('kretprobe entry')] : []), event('kretprobe')];
    case 'fprobe':
      return [...(entry ? [event('fprobe entry')] : []), ...(exit ? [event('fprobe exit')] : [])];
    case 'kprobe.multi':
      return [
        ...(entry ? [event('kprobe.multi')] : []),
        ...(exit && !client.vetoes ? [event('kprobe.multi return')] : []),
      ];
    case 'extension':
      return [event('extension')];
    case 'program':
      return programRuns(call, client) ? programEvents(call, client) : [];
    default:
      return unreachable(client.kind);
  }
}

/** A session runs at the entry and at the return. */
function programEvents({ fn }: ExpectedCall, { who, program }: Client): string[] {
  const entry = { who, kind: 'program', fn } as const;
  return program!.kind === 'fsession' ? [keyOf(entry), keyOf({ ...entry, atReturn: true })] : [keyOf(entry)];
}

/** A modify-return program does not run when a newer one has stopped the chain. */
function programRuns({ clients }: ExpectedCall, client: Client): boolean {
  if (client.program!.kind !== 'fmod_ret') return true;
  const newer = clients.slice(clients.indexOf(client) + 1);
  return !newer.some(
    ({ program }) => program?.kind === 'fmod_ret' && (program.returns.lo !== 0 || program.returns.hi !== 0),
  );
}

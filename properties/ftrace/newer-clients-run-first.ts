import type { PromisedClient } from '../../model/contract/promises.ts';
import type { Profile } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import type { SeenEvent } from '../observed/seen-call.ts';
import { isTwice, seenCall } from '../observed/seen-call.ts';

/**
 * Kprobes share an ops, and so do the users of function graph: their position is that of their first user, which may
 * have detached. It is certain only that it is no newer than the oldest of them that traces the function, and has
 * done so since it registered.
 */
export const newerClientsRunFirst: AttachLaw = {
  name: 'ftrace/newer-clients-run-first',
  sentence: 'Newer clients run first: among ops, among the programs of one list, and among kprobes.',
  source:
    'kernel/trace/ftrace.c  add_ftrace_ops; kernel/bpf/trampoline.c  bpf_trampoline_add_prog; kernel/kprobes.c  add_new_kprobe',
  witness: 'two clients with a promised order notified of one call',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    const earlier = new Map<ExpectedCall, SeenEvent[]>();
    let witness = false;
    for (const event of seen.events) {
      if (event.call === undefined || event.client === undefined) continue;
      const before = earlier.get(event.call) ?? [];
      for (const other of before) {
        const newer = newerOf(moment, other, event);
        witness ||= newer !== undefined;
        if (newer !== event) continue;
        return {
          is: 'older-client-runs-first',
          fn: event.call.fn,
          newer: event.event.who,
          older: other.event.who,
          kind: other.event.kind,
        };
      }
      before.push(event);
      earlier.set(event.call, before);
    }
    return witness ? 'held' : 'not applicable';
  },
};

/** The event that has to come first; undefined where no order is promised. */
function newerOf(moment: Moment, a: SeenEvent, b: SeenEvent): SeenEvent | undefined {
  const list = listOf(a);
  if (list === '' || list !== listOf(b) || isTwice(a) || isTwice(b) || a.client === b.client)
    return undefined;
  const { clients } = moment.promises;
  if (list !== 'ops') return clients.indexOf(a.client!) > clients.indexOf(b.client!) ? a : b;
  if (isNewer(moment, a, b.client!)) return a;
  return isNewer(moment, b, a.client!) ? b : undefined;
}

/** The list that an event comes from, newest first; empty: none. */
function listOf({ event: { kind, fn }, half, client }: SeenEvent): string {
  if (kind === 'program') return `${half} ${client!.program!.kind === 'fmod_ret' ? 'fmod_ret' : ''}`;
  if (kind === 'kprobe post' || client!.kind === 'kprobe in body') return `${kind} ${fn}`;
  return half === 'entry' && kind !== 'direct' ? 'ops' : '';
}

/**
 * Whether the event's client is certainly before the other: its ops is newer, or it is newer within one ops. Among
 * users of function graph this holds for fprobes, which share one index.
 */
function isNewer(
  { promises: { clients }, after }: Moment,
  { client, call }: SeenEvent,
  other: PromisedClient,
): boolean {
  const promisedClient = client!;
  const { fprobe } = profileNamed(after.profile);
  const shared = sharedOps(promisedClient, fprobe);
  const others = sharedOps(other, fprobe);
  const age = (each: PromisedClient) => clients.indexOf(each);
  if (shared !== '')
    return (
      others === shared &&
      promisedClient.kind !== 'graph' &&
      other.kind !== 'graph' &&
      age(promisedClient) > age(other)
    );
  if (others === '') return age(promisedClient) > age(other);
  const first = call!.clients.find((each) => sharedOps(each, fprobe) === others && each.disabled === 'never');
  return first !== undefined && age(promisedClient) > age(first);
}

/** The ops that a client shares with others; empty: it has its own. */
function sharedOps({ kind, exit }: PromisedClient, fprobe: Profile['fprobe']): string {
  switch (kind) {
    case 'kprobe':
    case 'kretprobe':
      return 'kprobes';
    case 'graph':
      return 'function graph';
    case 'fprobe':
    case 'kprobe.multi':
      if (fprobe === 'rethook') return '';
      return exit ? 'function graph' : 'entry fprobes';
    case 'ftrace':
    case 'direct':
    case 'kprobe in body':
    case 'program':
    case 'extension':
    case 'xdp':
      return '';
    default:
      return unreachable(kind);
  }
}

import { hasReturned } from '../../model/call-frame.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { Client } from '../../model/promises.ts';
import type { ExpectedCall } from '../attach/expectation.ts';
import { allCalls, expectedCall } from '../attach/expectation.ts';
import { missesOf } from '../attach/misses.ts';
import type { AttachLaw } from '../attach/moment.ts';
import { isAlive } from '../attach/moment.ts';

/** How often each client has to be seen, by client, kind of event and function. */
type Tally = Map<string, number>;

/** The contract's first sentence. */
export const everyProbeFiresOnce: AttachLaw = {
  name: 'ftrace/every-probe-fires-once',
  sentence:
    'Whoever is attached to a function sees each of its calls exactly once, or a miss is counted; nobody else sees any.',
  source: 'Documentation/trace/ftrace-uses.rst, fprobe.rst, kprobes.rst; kernel/bpf/trampoline.c',
  witness: 'a call went through a function with clients',
  judge: (moment) => {
    const { action, outcome, promises, after } = moment;
    if (action.do !== 'call' || outcome.call === undefined || !isAlive(moment)) return 'no say';
    if (!hasReturned(outcome.call)) return 'no say';
    const calls = allCalls(expectedCall(after, promises, action));
    const wanted = tallyOf(
      calls.flatMap((call) => call.clients.flatMap((client) => eventsFor(call, client))),
    );
    const seen = tallyOf(outcome.call.events.filter(({ kind }) => !OWN.includes(kind)).map(keyOf));
    const missed = missesOf(moment);
    for (const key of new Set([...wanted.keys(), ...seen.keys()])) {
      const [who = ''] = key.split(' sees ');
      const expected = wanted.get(key) ?? 0;
      const observed = seen.get(key) ?? 0;
      if (expected === observed) continue;
      if (observed < expected && missed.has(who)) continue;
      return { expected: `${key} ${times(expected)}`, observed: times(observed) };
    }
    return calls.some(({ clients }) => clients.length > 0) ? 'held' : 'no say';
  },
};

/** Events of the functions themselves: another law looks at them. */
const OWN: readonly string[] = ['body', 'replacement'];

function times(count: number): string {
  return count === 1 ? 'once' : count === 0 ? 'never' : `${count} times`;
}

function keyOf({ who, kind, fn }: Pick<CallEvent, 'who' | 'kind' | 'fn'>): string {
  return `${who} sees ${fn} (${kind})`;
}

function tallyOf(keys: readonly string[]): Tally {
  const tally: Tally = new Map();
  for (const key of keys) tally.set(key, (tally.get(key) ?? 0) + 1);
  return tally;
}

/** The events that one call owes one client. */
function eventsFor(call: ExpectedCall, client: Client): string[] {
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
      return programRuns(call, client)
        ? Array(client.program!.kind === 'fsession' ? 2 : 1).fill(event('program'))
        : [];
  }
}

/** A modify-return program does not run when a newer one has stopped the chain. */
function programRuns({ clients }: ExpectedCall, client: Client): boolean {
  if (client.program!.kind !== 'fmod_ret') return true;
  const newer = clients.slice(clients.indexOf(client) + 1);
  return !newer.some(
    ({ program }) => program?.kind === 'fmod_ret' && (program.returns.lo !== 0 || program.returns.hi !== 0),
  );
}

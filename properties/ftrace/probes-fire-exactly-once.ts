import { hasReturned } from '../../model/call/call-frame.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { allCalls } from '../observed/expectation.ts';
import { missesOf } from '../observed/misses.ts';
import { eventsFor, hitIn, keyOf, tallyOf } from '../observed/owed-events.ts';
import { expectedIn } from '../observed/seen-call.ts';

/** The contract's first sentence. */
export const probesFireExactlyOnce: AttachLaw = {
  name: 'ftrace/probes-fire-exactly-once',
  sentence:
    'Each client attached to a function sees every call exactly once, or its miss is counted; no other client sees the call.',
  source: 'Documentation/trace/ftrace-uses.rst, fprobe.rst, kprobes.rst; kernel/bpf/trampoline.c',
  witness: 'a call of a function with clients attached',
  judge: (moment) => {
    const { action, outcome, after } = moment;
    if (action.do !== 'call' || outcome.call === undefined || !isAlive(moment)) return 'not applicable';
    if (!hasReturned(outcome.call) || isTracepoint(after, action.fn)) return 'not applicable';
    const calls = allCalls(expectedIn(moment, action));
    const owed = calls.flatMap((call) => call.clients.flatMap((client) => eventsFor(call, client)));
    const events = outcome.call.events.filter(({ kind }) => !OWN.includes(kind)).map(hitIn);
    const wanted = tallyOf(owed.map(keyOf));
    const seen = tallyOf(events.map(keyOf));
    const missed = missesOf(moment);
    for (const [key, hit] of new Map([...owed, ...events].map((hit) => [keyOf(hit), hit]))) {
      const expected = wanted.get(key) ?? 0;
      const observed = seen.get(key) ?? 0;
      if (expected === observed || (observed < expected && missed.has(hit.who))) continue;
      return { is: 'hits-differ', ...hit, expected, observed };
    }
    return calls.some(({ clients }) => clients.length > 0) ? 'held' : 'not applicable';
  },
};

/** Events of the functions themselves, which body-or-replacement-runs-once judges. */
const OWN: readonly string[] = ['body', 'replacement'];

import { hasReturned } from '../../model/call/call-frame.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { allCalls } from '../observed/expectation.ts';
import { mayHaveCaused } from '../observed/fault-effects.ts';
import { missesOf } from '../observed/misses.ts';
import { eventsFor, hitIn, keyOf, tallyOf } from '../observed/owed-events.ts';
import { expectedIn } from '../observed/seen-call.ts';

/**
 * A call that is neither seen nor counted breaks probes-fire-exactly-once. A probe whose filter is stale counts calls
 * that it is not owed.
 */
export const missesAreCountedOnce: AttachLaw = {
  name: 'ftrace/misses-are-counted-once',
  sentence:
    'The counter of a probe or a program grows by one for each call that it misses, and for no other call.',
  source:
    'kernel/kprobes.c  kprobes_inc_nmissed_count; kernel/trace/fprobe.c; kernel/bpf/trampoline.c  __bpf_prog_enter_recur; kernel/trace/bpf_trace.c  kprobe_multi_link_prog_run',
  witness: 'a call of a function with a client that counts its misses',
  judge: (moment) => {
    const { action, outcome, after, faults } = moment;
    if (action.do !== 'call' || outcome.call === undefined || !isAlive(moment)) return 'not applicable';
    if (!hasReturned(outcome.call) || isTracepoint(after, action.fn)) return 'not applicable';
    if (mayHaveCaused('filterIsStale', faults)) return 'not applicable';
    const calls = allCalls(expectedIn(moment, action));
    const owed = calls.flatMap((call) => call.clients.flatMap((client) => eventsFor(call, client)));
    const wanted = tallyOf(owed.map(keyOf));
    const seen = tallyOf(outcome.call.events.map((event) => keyOf(hitIn(event))));
    const missed = new Map<string, number>();
    for (const hit of owed) {
      const key = keyOf(hit);
      const absent = (wanted.get(key) ?? 0) - (seen.get(key) ?? 0);
      missed.set(hit.who, Math.max(absent, missed.get(hit.who) ?? 0));
    }
    for (const [who, { own, shared }] of missesOf(moment)) {
      const expected = missed.get(who) ?? 0;
      if (own > expected || (own > 0 && own + shared < expected))
        return { is: 'counted-misses-differ', who, expected, observed: own };
    }
    const counts = calls.some(({ clients }) => clients.some(({ kind }) => COUNTING.includes(kind)));
    return counts ? 'held' : 'not applicable';
  },
};

const COUNTING: readonly string[] = ['kprobe', 'kretprobe', 'fprobe', 'kprobe.multi', 'program'];

import type { Misses } from '../../model/call/thread.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { ExpectedCall } from '../../properties/observed/expectation.ts';
import { allCalls } from '../../properties/observed/expectation.ts';
import { eventsFor } from '../../properties/observed/owed-events.ts';

/**
 * The misses that a call has counted. Of probes the recorder reads the counters. The links of kprobe.multi do not show
 * theirs: where a function calls itself, there may be more calls than nodes for returns, and what such a link did not see
 * is taken as counted.
 */
export function missedIn(
  expected: ExpectedCall,
  events: readonly CallEvent[],
  counted: Readonly<Record<string, number>>,
): ReadonlyMap<string, Misses> {
  const calls = allCalls(expected);
  const missed = new Map(Object.entries(counted).map(([who, own]) => [who, { own, shared: 0 }]));
  for (const { fn, clients } of calls) {
    if (calls.filter((call) => call.fn === fn).length < 2) continue;
    for (const { who, kind, exit } of clients) {
      if (kind !== 'kprobe.multi' || !exit) continue;
      const own = owedTo(calls, who) - events.filter((event) => event.who === who).length;
      if (own > 0) missed.set(who, { own, shared: 0 });
    }
  }
  return missed;
}

function owedTo(calls: readonly ExpectedCall[], who: string): number {
  const owed = calls.flatMap((call) =>
    call.clients.filter((client) => client.who === who).flatMap((client) => eventsFor(call, client)),
  );
  return owed.length;
}

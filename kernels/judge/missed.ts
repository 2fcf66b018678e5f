import type { Misses } from '../../model/call/thread.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { ExpectedCall } from '../../properties/observed/expectation.ts';
import { allCalls } from '../../properties/observed/expectation.ts';

/**
 * The clients that may miss a call: a return hook has a node for each call that is under way, and a function that calls
 * itself may have more calls than nodes. The recorder does not read the counters.
 */
export function missedIn(expected: ExpectedCall, events: readonly CallEvent[]): ReadonlyMap<string, Misses> {
  const calls = allCalls(expected);
  const missed = new Map<string, Misses>();
  for (const { fn, clients } of calls) {
    const nested = calls.filter((call) => call.fn === fn).length;
    if (nested < 2) continue;
    for (const { who, kind, exit } of clients) {
      const hooks = kind === 'kretprobe' || exit;
      const seen = events.filter((event) => event.who === who).length;
      if (hooks && seen > 0) missed.set(who, { own: 1, shared: 0 });
    }
  }
  return missed;
}

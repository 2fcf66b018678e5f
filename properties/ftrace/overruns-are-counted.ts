import { hooksThroughGraph } from '../../model/contract/on-graph.ts';
import type { PromisedClient } from '../../model/contract/promises.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { shadowStackMax } from '../../model/ftrace/fgraph.ts';
import { opsReferencesIp } from '../../model/ftrace/filter-hash.ts';
import { GRAPH_OPS } from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import type { SeenCall } from '../observed/seen-call.ts';
import { seenCall } from '../observed/seen-call.ts';

/**
 * I-35. How much of the stack an fprobe uses for its data is not specified: where one hooks a return, the law only
 * requires that no miss is uncounted. A call that function graph is entered for without a user that wants it may be
 * counted as well: that it is entered is a breach of ftrace/only-requested-functions-are-traced.
 */
export const overrunsAreCounted: AttachLaw = {
  name: 'ftrace/overruns-are-counted',
  sentence:
    'A user of function graph misses exactly the calls that find the shadow stack full, and trace_overrun counts each; it sees entry and return of every other call.',
  source: 'kernel/trace/fgraph.c  ftrace_push_return_trace, function_graph_enter_regs',
  witness: 'a call of a function traced by function graph',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    const users = moment.promises.clients.filter(
      (client) => client.kind === 'graph' && seen.calls.some(({ clients }) => clients.includes(client)),
    );
    const overrun = moment.after.fgraph.overrun - moment.before.fgraph.overrun;
    for (const user of users) {
      const finding = judgeUser(moment, seen, user, overrun);
      if (finding !== undefined) return finding;
    }
    return users.length > 0 ? 'held' : 'not applicable';
  },
};

function judgeUser({ after }: Moment, seen: SeenCall, user: PromisedClient, overrun: number) {
  const has = ({ clients }: ExpectedCall) => clients.includes(user);
  const wanted = seen.calls.filter(has).length;
  const entries = eventsOf(seen, user, 'graph entry');
  const exits = eventsOf(seen, user, 'graph exit');
  const shared = seen.calls.some(({ clients }) => clients.some((client) => hooksThroughGraph(after, client)));
  const followed = ({ clients }: ExpectedCall) => clients.some(({ kind }) => kind === 'graph');
  const missed = shared ? wanted - entries : unfollowed(seen.expected, framesMax(after), followed, has);
  const counted = shared ? missed : unfollowed(seen.expected, framesMax(after), followed, followed);
  const entered = (call: ExpectedCall) => followed(call) || opsReferencesIp(after, GRAPH_OPS, call.fn);
  const most = unfollowed(seen.expected, framesMax(after), followed, entered);
  const isCounted = overrun >= counted && (shared || overrun <= most);
  if (entries === wanted - missed && exits >= entries && isCounted) return undefined;
  return {
    is: 'overruns-differ',
    who: user.who,
    calls: wanted,
    expected: { entries: wanted - missed, exits: wanted - missed, overrun: counted },
    observed: { entries, exits, overrun },
  } as const;
}

function eventsOf({ events }: SeenCall, { who }: PromisedClient, kind: 'graph entry' | 'graph exit'): number {
  return events.filter(({ event }) => event.kind === kind && event.who === who).length;
}

/** Frames that fit on a shadow stack without any user data. */
function framesMax(k: KernelView): number {
  const { fgraph, retfuncDepth, fgraphFrameWords } = profileNamed(k.profile);
  return fgraph === 'single' ? retfuncDepth : Math.ceil(shadowStackMax(k) / (fgraphFrameWords + 1)) - 1;
}

/** How many of the counted calls find the stack full, given a call with its inner calls and free frames. */
function unfollowed(
  call: ExpectedCall,
  room: number,
  followed: (call: ExpectedCall) => boolean,
  counts: (call: ExpectedCall) => boolean,
): number {
  const takes = followed(call) && room > 0;
  const own = room === 0 && counts(call) ? 1 : 0;
  return call.calls.reduce(
    (sum, inner) => sum + unfollowed(inner, takes ? room - 1 : room, followed, counts),
    own,
  );
}

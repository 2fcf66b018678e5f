import type { EventKind } from '../../model/core/event.ts';
import { item } from '../../model/core/present.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import type { SeenEvent } from '../observed/seen-call.ts';
import { isTwice, seenCall } from '../observed/seen-call.ts';

/** I-34. Users of one shadow stack see entry and return in the same order. */
export const returnHooksRunInReverseOrder: AttachLaw = {
  name: 'ftrace/return-hooks-run-in-reverse-order',
  sentence:
    'Return hooks run in the reverse order of their installation; users of one function graph see entry and return in the same order.',
  source:
    'kernel/trace/rethook.c  rethook_trampoline_handler; kernel/trace/fgraph.c  ftrace_return_to_handler',
  witness: 'two clients notified of entry and return of one call',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    let witness = false;
    for (const call of seen.calls) {
      const own = seen.events.filter((event) => event.call === call && RETURNS.includes(event.event.kind));
      for (let j = 1; j < own.length; j++) {
        const [first, second] = [item(own, j - 1), item(own, j)];
        const entered = [entryOf(seen.events, call, first), entryOf(seen.events, call, second)] as const;
        if (entered[0] < 0 || entered[1] < 0 || first.client === second.client) continue;
        if (isTwice(first) || isTwice(second)) continue;
        witness = true;
        const same = isFgraph(moment, first) && isFgraph(moment, second);
        if (same === entered[0] < entered[1]) continue;
        return {
          is: 'returns-change-places',
          fn: call.fn,
          first: second.event.who,
          kind: first.event.kind,
          second: first.event.who,
        };
      }
    }
    return witness ? 'held' : 'not applicable';
  },
};

const RETURNS: readonly EventKind[] = ['graph exit', 'kretprobe', 'fprobe exit', 'kprobe.multi return'];

/** The index of the client's entry event, if any. */
function entryOf(events: readonly SeenEvent[], call: ExpectedCall, { client }: SeenEvent): number {
  return events.findIndex(
    (event) => event.call === call && event.client === client && event.half === 'entry',
  );
}

/** Whether the client keeps its returns on the shadow stack of function graph. */
function isFgraph({ after }: Moment, { event: { kind } }: SeenEvent): boolean {
  if (kind === 'graph exit') return true;
  return kind !== 'kretprobe' && profileNamed(after.profile).fprobe === 'fgraph';
}

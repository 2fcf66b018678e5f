import type { CallEvent } from '../../model/core/event.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { hitIn } from '../observed/expected-hit.ts';

export const hitsReachEachProbe: AttachLaw = {
  name: 'tracepoint/hits-reach-each-probe',
  sentence:
    'A hit calls every probe and program that is registered once, those of higher priority first and of equal ones the oldest, and nobody else.',
  source: 'kernel/tracepoint.c  func_add, func_remove; include/linux/tracepoint.h  __DO_TRACE_CALL',
  witness: 'a tracepoint with probes was hit',
  judge: (moment) => {
    const hit = hitIn(moment);
    if (hit === undefined) return 'no say';
    const [owed, seen] = [named(hit.owed), named(hit.seen)];
    if (owed !== seen) return { expected: `a hit calls ${owed}`, observed: `it calls ${seen}` };
    return hit.owed.length > 0 ? 'held' : 'no say';
  },
};

function named(events: readonly CallEvent[]): string {
  return events.length === 0
    ? 'nobody'
    : events.map(({ who, data }) => (data === undefined ? who : `${who}(${data})`)).join(', ');
}

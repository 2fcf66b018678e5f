import type { CallEvent } from '../../model/core/event.ts';
import type { CalledByHit } from '../finding/hit-finding.ts';
import { isSame } from '../finding/same.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { hitIn } from '../observed/expected-hit.ts';

export const hitsCallEachProbeOnce: AttachLaw = {
  name: 'tracepoint/hits-call-each-probe-once',
  sentence:
    'A hit calls each registered probe and program exactly once and nothing else: highest priority first, oldest first among equals.',
  source: 'kernel/tracepoint.c  func_add, func_remove; include/linux/tracepoint.h  __DO_TRACE_CALL',
  witness: 'a hit of a tracepoint with probes',
  judge: (moment) => {
    const hit = hitIn(moment);
    if (hit === undefined) return 'not applicable';
    const [expected, observed] = [hit.owed.map(calledIn), hit.seen.map(calledIn)];
    if (!isSame(expected, observed)) return { is: 'hit-calls-others', expected, observed };
    return hit.owed.length > 0 ? 'held' : 'not applicable';
  },
};

function calledIn({ who, data }: CallEvent): CalledByHit {
  return data === undefined ? { who } : { who, data };
}

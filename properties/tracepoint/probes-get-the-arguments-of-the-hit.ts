import type { CallEvent } from '../../model/core/event.ts';
import type { Given } from '../finding/hit-finding.ts';
import { isSame } from '../finding/same.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { hitIn } from '../observed/expected-hit.ts';

export const probesGetTheArgumentsOfTheHit: AttachLaw = {
  name: 'tracepoint/probes-get-the-arguments-of-the-hit',
  sentence:
    'A probe gets its own data and the arguments of the hit; a program gets its cookie and each argument that it reads, zero-extended.',
  source: 'include/linux/tracepoint.h  __traceiter_X; kernel/trace/bpf_trace.c  __bpf_trace_run',
  witness: 'a probe called',
  judge: (moment) => {
    const hit = hitIn(moment);
    if (hit === undefined) return 'not applicable';
    for (const event of hit.seen) {
      const expected = hit.owed.filter(({ who }) => who === event.who).map(given);
      const observed = given(event);
      if (expected.length > 0 && !expected.some((given) => isSame(given, observed)))
        return { is: 'probe-is-given-otherwise', who: event.who, expected, observed };
    }
    return hit.seen.length > 0 ? 'held' : 'not applicable';
  },
};

function given({ data, args = [], cookie }: CallEvent): Given {
  return {
    args,
    ...(data === undefined ? {} : { data }),
    ...(cookie === undefined ? {} : { cookie }),
  };
}

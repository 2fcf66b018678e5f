import type { CallEvent } from '../../model/core/event.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { hitIn } from '../observed/expected-hit.ts';

export const probesSeeWhatWasPassed: AttachLaw = {
  name: 'tracepoint/probes-see-what-was-passed',
  sentence:
    'A probe is given its own data and the arguments of the hit; a program its cookie, and each argument that it reads, zero-extended.',
  source: 'include/linux/tracepoint.h  __traceiter_X; kernel/trace/bpf_trace.c  __bpf_trace_run',
  witness: 'a probe was called',
  judge: (moment) => {
    const hit = hitIn(moment);
    if (hit === undefined) return 'no say';
    for (const event of hit.seen) {
      const own = hit.owed.filter(({ who }) => who === event.who).map(given);
      if (own.length > 0 && !own.includes(given(event)))
        return {
          expected: `${event.who} is given ${own.join(' or ')}`,
          observed: `it is given ${given(event)}`,
        };
    }
    return hit.seen.length > 0 ? 'held' : 'no say';
  },
};

/** `data#1 (0x1, 0x2)`, `(0x1, 0x2), cookie 0x5`. */
function given({ data, args = [], cookie }: CallEvent): string {
  const before = data === undefined ? '' : `${data} `;
  return `${before}(${args.join(', ')})${cookie === undefined ? '' : `, cookie ${cookie}`}`;
}

import fc from 'fast-check';
import type { PerfEventOpenKprobe } from '../../../model/client/perf-event-open-kprobe.ts';
import { KPROBE_EVENT } from '../draw/kprobe-events.ts';
import { weighed } from '../draw/weighed.ts';
import { isElsewhere, OFFSET, placesOf } from './probe-offset.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedPerfEventOpenKprobe: SearchedCall<PerfEventOpenKprobe> = {
  draw: ({ profile, ip }) => [
    weighed(
      3,
      fc.tuple(KPROBE_EVENT, ip, fc.nat(3), OFFSET).map(([event, site, n, offset]) => ({
        do: 'perf_event_open(kprobe)',
        event,
        // Returns of one in four; on the shadow stack they are not modelled.
        on: n === 3 && profile.kretprobe !== 'ret_stack' ? 'kretprobe' : 'kprobe',
        ip: site,
        ...(offset === 0 ? {} : { offset }),
      })),
    ),
  ],
  isLikely: (p, { event }) => p.events[event] === undefined,
  effort: 5,
  optionEffort: ({ on, offset }) =>
    4 * count(on === 'kretprobe') + 2 * count(offset !== undefined) + count(isElsewhere(offset)),
  plainer: (action) => [
    ...(action.on === 'kretprobe' ? [{ ...action, on: 'kprobe' as const }] : []),
    ...placesOf(action),
  ],
  lifeOf: ({ event }) => event,
  objectsOf: ({ event }) => [`event ${event}`],
  next: ({ event }) => ({ word: 'close', action: { do: 'close(perf_event)', event } }),
};

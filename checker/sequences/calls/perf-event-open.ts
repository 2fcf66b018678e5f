import type { PerfEventOpen } from '../../../model/client/perf-event-open.ts';
import { eventsOn } from '../draw/tracepoints.ts';
import { actions } from '../draw/weighed.ts';
import type { SearchedCall } from './searched-call.ts';
import { notDrawn } from './searched-call.ts';

export const searchedPerfEventOpen: SearchedCall<PerfEventOpen> = {
  draw: notDrawn,
  /** Events on tracepoints whose probes may fault are not modelled. */
  drawHits: (tracepoints) => {
    const others = tracepoints.filter(({ faultable }) => faultable !== true);
    return others.length === 0 ? [] : [actions(6, 'perf_event_open', eventsOn(others))];
  },
  isLikely: (p, { event }) => p.events[event] === undefined,
  effort: 5,
  lifeOf: ({ event }) => event,
  objectsOf: ({ event, tracepoint }) => [`event ${event}`, `events of ${tracepoint}`],
  next: ({ event }) => ({ word: 'close', action: { do: 'close(perf_event)', event } }),
};

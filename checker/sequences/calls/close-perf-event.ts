import type { ClosePerfEvent } from '../../../model/client/close-perf-event.ts';
import { KPROBE_EVENT } from '../draw/kprobe-events.ts';
import { EVENT } from '../draw/tracepoints.ts';
import { actions } from '../draw/weighed.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedClosePerfEvent: SearchedCall<ClosePerfEvent> = {
  draw: () => [actions(2, 'close(perf_event)', { event: KPROBE_EVENT })],
  drawHits: () => [actions(3, 'close(perf_event)', { event: EVENT })],
  isLikely: (p, { event }) => p.events[event]?.open === true,
  effort: 5,
  lifeOf: ({ event }) => event,
  objectsOf: ({ event }) => [`event ${event}`],
};

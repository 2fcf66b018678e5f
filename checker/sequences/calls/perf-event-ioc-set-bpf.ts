import type { PerfEventIocSetBpf } from '../../../model/client/perf-event-ioc-set-bpf.ts';
import { KPROBE_EVENT, KPROBE_PROG } from '../draw/kprobe-events.ts';
import { EVENT, PROG } from '../draw/tracepoints.ts';
import { actions } from '../draw/weighed.ts';
import { takesProgram } from './perf-event-life.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedPerfEventIocSetBpf: SearchedCall<PerfEventIocSetBpf> = {
  draw: () => [actions(4, 'PERF_EVENT_IOC_SET_BPF', { event: KPROBE_EVENT, prog: KPROBE_PROG })],
  drawHits: () => [actions(8, 'PERF_EVENT_IOC_SET_BPF', { event: EVENT, prog: PROG })],
  isLikely: takesProgram,
  effort: 6,
  lifeOf: ({ event }) => event,
  objectsOf: ({ event, prog }) => [`event ${event}`, `prog ${prog}`],
  next: ({ event }) => ({ word: 'close', action: { do: 'close(perf_event)', event } }),
};

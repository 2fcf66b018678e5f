import { eventOpened } from '../contract/perf-events.ts';
import { perfEventOpen } from '../perf-event/event.ts';
import type { ClientCall } from './client-call.ts';
import { nothingTouched, startedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * perf_event_open() with PERF_TYPE_TRACEPOINT, perf_trace_init() in kernel/trace/trace_event_perf.c. `config` is the id of
 * the tracepoint's event; one that no event has is EINVAL. The event counts on one CPU; its programs run on all of them.
 */

export interface PerfEventOpen {
  readonly do: 'perf_event_open';
  readonly event: string;
  readonly tracepoint: string;
}

/** An event by its number. */
export function eventOn(n: number, tracepoint: string): PerfEventOpen {
  return { do: 'perf_event_open', event: `perf#${n}`, tracepoint };
}

export const perfEventOpenCall: ClientCall<PerfEventOpen> = {
  sentence: 'Opens a perf event on a tracepoint.',
  examples: [eventOn(1, 'tp1')],
  service: startedBy(perfEventOpen),
  role: 'attaches',
  isMisuse: (k, { event }) => k.perf?.events[event] !== undefined || k.probes.kprobes[event] !== undefined,
  promised: (p, { event, tracepoint }) => eventOpened(p, event, tracepoint),
  touched: nothingTouched,
  detach: ({ event }) => ({ do: 'close(perf_event)', event }),
  print: ({ do: name, event, tracepoint }) => `${event} = ${called(name, tracepoint)}`,
  parse: ({ name, result, args: [tracepoint = '', ...others] }) =>
    name === 'perf_event_open' && others.length === 0 ? { do: name, event: result, tracepoint } : undefined,
};

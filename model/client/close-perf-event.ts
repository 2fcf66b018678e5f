import { eventClosed, ofEvent } from '../contract/perf-events.ts';
import { closePerfEvent } from '../perf-event/event.ts';
import type { ClientCall } from './client-call.ts';
import { never, startedBy } from './client-call.ts';
import { called } from './spelling.ts';

/*
 * perf_release() in kernel/events/core.c. A link to the event holds its file: then the event stays, with its program. With
 * the last reference _free_event() detaches the program, and the last event of a tracepoint unregisters their probe,
 * an event on a kprobe its kprobe.
 */

export interface ClosePerfEvent {
  readonly do: 'close(perf_event)';
  readonly event: string;
}

export const closePerfEventCall: ClientCall<ClosePerfEvent> = {
  sentence: 'Closes a perf event; a link to it holds it.',
  examples: [{ do: 'close(perf_event)', event: 'perf#1' }],
  service: startedBy(closePerfEvent),
  role: 'detaches',
  isMisuse: never,
  promised: (p, { event }) => eventClosed(p, event),
  touched: (p, _, { event }) => ofEvent(p, event),
  sharesOps: 'of kprobes',
  print: ({ event }) => called('close', event),
  parse: ({ name, args: [event = ''] }) =>
    name === 'close' && event.startsWith('perf#') ? { do: 'close(perf_event)', event } : undefined,
};

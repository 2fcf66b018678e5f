import { eventProgramAttached } from '../contract/perf-events.ts';
import type { ProgId } from '../core/ids.ts';
import { perfEventIocSetBpf } from '../perf-event/event.ts';
import { ZERO } from '../x86/word.ts';
import type { ClientCall } from './client-call.ts';
import { never, nothingTouched, startedBy } from './client-call.ts';
import { called, numberOf } from './spelling.ts';

/*
 * ioctl(PERF_EVENT_IOC_SET_BPF), _perf_ioctl() in kernel/events/core.c and perf_event_attach_bpf_prog() in
 * kernel/trace/bpf_trace.c: EINVAL for a program of another type or, on a kprobe, one that may sleep, EACCES if it reads after the
 * record of a tracepoint, EEXIST if the event has a program or another event of the tracepoint has this one, E2BIG after 64
 * programs. The program stays until the event is freed, and has no cookie. One of kprobe.multi is of the type of kprobe programs,
 * and accepted: its helpers are not made for what they find (`perf-event/run-context.ts`).
 */

export interface PerfEventIocSetBpf {
  readonly do: 'PERF_EVENT_IOC_SET_BPF';
  readonly event: string;
  readonly prog: ProgId;
}

export const perfEventIocSetBpfCall: ClientCall<PerfEventIocSetBpf> = {
  sentence: 'Sets the program of a perf event.',
  examples: [{ do: 'PERF_EVENT_IOC_SET_BPF', event: 'perf#1', prog: 1 }],
  service: startedBy(perfEventIocSetBpf),
  role: 'attaches',
  isMisuse: never,
  promised: (p, { event, prog }) => eventProgramAttached(p, { event, prog, object: event, cookie: ZERO }),
  touched: nothingTouched,
  detach: ({ event }) => ({ do: 'close(perf_event)', event }),
  print: ({ do: name, event, prog }) => called(name, event, `prog#${prog}`),
  parse: ({ name, args: [event = '', prog = ''] }) =>
    name === 'PERF_EVENT_IOC_SET_BPF' ? { do: name, event, prog: numberOf(prog, 'prog') } : undefined,
};

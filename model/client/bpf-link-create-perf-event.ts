import { eventProgramAttached } from '../contract/perf-events.ts';
import type { LinkId, ProgId } from '../core/ids.ts';
import { bpfPerfLinkAttach } from '../perf-event/event.ts';
import type { ClientCall } from './client-call.ts';
import { nothingTouched, startedBy } from './client-call.ts';
import { called, numberOf } from './spelling.ts';

/*
 * BPF_LINK_CREATE with BPF_PERF_EVENT, bpf_perf_link_attach() in kernel/bpf/syscall.c: EBADF without an event, then what
 * PERF_EVENT_IOC_SET_BPF answers. The link holds the event's file and has a cookie; closing it detaches the program.
 */

export interface BpfLinkCreatePerfEvent {
  readonly do: 'BPF_LINK_CREATE(perf_event)';
  readonly link: LinkId;
  readonly prog: ProgId;
  readonly event: string;
}

/** Program, link and event of one number. */
export function eventLinked(n: number): BpfLinkCreatePerfEvent {
  return { do: 'BPF_LINK_CREATE(perf_event)', link: `link#${n}`, prog: n, event: `perf#${n}` };
}

export const bpfLinkCreatePerfEventCall: ClientCall<BpfLinkCreatePerfEvent> = {
  sentence: 'Links a program to a perf event.',
  examples: [eventLinked(1)],
  service: startedBy(bpfPerfLinkAttach),
  role: 'attaches',
  isMisuse: (k, { link }) => k.bpf.links[link] !== undefined,
  promised: (p, { link, prog, event }) => eventProgramAttached(p, { event, prog, object: link }),
  touched: nothingTouched,
  detach: ({ link }) => ({ do: 'close(link)', link }),
  print: ({ link, prog, event }) => `${link} = ${called('BPF_LINK_CREATE', `prog#${prog}`, event)}`,
  parse({ name, result, args: [prog = '', event = ''] }) {
    if (name !== 'BPF_LINK_CREATE' || !event.startsWith('perf#')) return undefined;
    return { do: 'BPF_LINK_CREATE(perf_event)', link: result, prog: numberOf(prog, 'prog'), event };
  },
};

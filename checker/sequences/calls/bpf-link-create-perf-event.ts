import type { BpfLinkCreatePerfEvent } from '../../../model/client/bpf-link-create-perf-event.ts';
import { KPROBE_EVENT, KPROBE_LINK, KPROBE_PROG } from '../draw/kprobe-events.ts';
import { EVENT, LINK, PROG } from '../draw/tracepoints.ts';
import { actions } from '../draw/weighed.ts';
import { takesProgram } from './perf-event-life.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedBpfLinkCreatePerfEvent: SearchedCall<BpfLinkCreatePerfEvent> = {
  draw: () => [
    actions(4, 'BPF_LINK_CREATE(perf_event)', {
      link: KPROBE_LINK,
      prog: KPROBE_PROG,
      event: KPROBE_EVENT,
    }),
  ],
  drawHits: () => [actions(8, 'BPF_LINK_CREATE(perf_event)', { link: LINK, prog: PROG, event: EVENT })],
  isLikely: (p, action) => !isLive(p, action.link) && takesProgram(p, action),
  effort: 7,
  /** The program stays until the event is freed. */
  plainer: ({ prog, event }) => [{ do: 'PERF_EVENT_IOC_SET_BPF', event, prog }],
  lifeOf: ({ prog }) => `prog#${prog}`,
  objectsOf: ({ link, prog, event }) => [`link ${link}`, `prog ${prog}`, `event ${event}`],
  next: ({ link }) => ({ word: 'detach', action: { do: 'close(link)', link } }),
};

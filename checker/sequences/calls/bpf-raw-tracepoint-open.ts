import type { BpfRawTracepointOpen } from '../../../model/client/bpf-raw-tracepoint-open.ts';
import { few } from '../draw/few-programs.ts';
import { numbers } from '../draw/programs.ts';
import { opens } from '../draw/tracepoints.ts';
import { weighed } from '../draw/weighed.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedBpfRawTracepointOpen: SearchedCall<BpfRawTracepointOpen> = {
  draw: ({ functions }) => [
    weighed(
      1,
      numbers(functions).map((prog) => ({ do: 'BPF_RAW_TRACEPOINT_OPEN', link: `link#${prog}`, prog })),
    ),
  ],
  drawHits: (tracepoints) => [weighed(10, opens(tracepoints))],
  isLikely: (p, { link, prog }) =>
    !isLive(p, link) && p.programs[prog] !== undefined && p.programs[prog].probe !== 'tp',
  effort: 7,
  /** A tracing program is linked by the simpler call; that of a tracepoint has no other. */
  plainer: ({ link, prog, tracepoint }) =>
    tracepoint === undefined ? [{ do: 'BPF_LINK_CREATE', link, prog, targets: [] }] : [],
  lifeOf: ({ prog }) => `prog#${prog}`,
  objectsOf: ({ link, prog }) => [`link ${link}`, `prog ${prog}`],
  next: ({ link }) => ({ word: 'detach', action: { do: 'close(link)', link } }),
  ofMultiLinks: ({ link, prog }, _, targets) => ({ do: 'BPF_LINK_CREATE', link, prog: few(prog), targets }),
};

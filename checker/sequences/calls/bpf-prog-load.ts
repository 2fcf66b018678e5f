import type { BpfProgLoad } from '../../../model/client/bpf-prog-load.ts';
import { xdpLoads } from '../draw/devices.ts';
import { few } from '../draw/few-programs.ts';
import { loadsForKprobes } from '../draw/kprobe-events.ts';
import { multiLinkActions, programLoads } from '../draw/programs.ts';
import { loadsForTracepoints } from '../draw/tracepoints.ts';
import { weighed } from '../draw/weighed.ts';
import { loadEffort } from '../shrink/load-effort.ts';
import { plainerLoads } from '../shrink/plainer-loads.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedBpfProgLoad: SearchedCall<BpfProgLoad> = {
  draw: ({ profile, functions, ips }) => [
    ...multiLinkActions(profile, functions, ips),
    weighed(8, programLoads(profile, functions)),
    ...xdpLoads(functions),
    weighed(3, loadsForKprobes),
  ],
  drawHits: (tracepoints) => [weighed(6, loadsForTracepoints(tracepoints))],
  isLikely: (p, { program }) => p.programs[program.id] === undefined,
  effort: 8,
  optionEffort: loadEffort,
  plainer: plainerLoads,
  lifeOf: ({ program }) => `prog#${program.id}`,
  objectsOf: ({ program }) => [`prog ${program.id}`],
  ofMultiLinks(action, kinds) {
    const { program, probe } = action;
    if (probe !== '' || !kinds.includes(program.kind)) return action;
    return { ...action, target: '', program: { ...program, id: few(program.id), multi: true } };
  },
};

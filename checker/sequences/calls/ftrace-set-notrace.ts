import type { FtraceSetNotrace } from '../../../model/client/ftrace-set-notrace.ts';
import type { Ip } from '../../../model/core/ids.ts';
import { actions, rarely } from '../draw/weighed.ts';
import { GOPS, OPS } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { filterIn, isMade } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedFtraceSetNotrace: SearchedCall<FtraceSetNotrace> = {
  draw({ profile: { fgraph }, ip }) {
    const ofGraph = GOPS.map((name) => `${name}.ops`);
    return [
      actions(1, 'ftrace_set_notrace', { ops: OPS, ip, reset: rarely }),
      actions(fgraph === 'multi' ? 3 : 0, 'ftrace_set_notrace', {
        ops: ofGraph,
        ip,
        reset: rarely,
      }),
    ];
  },
  isLikely: (p, { ops, ip }) => isMade(p, ops) && wants(filterIn(p, ops), ip),
  effort: 8,
  optionEffort: ({ reset }) => count(reset),
  plainer: (action) => [{ ...action, reset: false }],
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
};

/** Whether a filter has a function: only then a notrace hash beside it says anything. */
function wants(filter: readonly Ip[], ip: Ip): boolean {
  return filter.length === 0 || filter.includes(ip);
}

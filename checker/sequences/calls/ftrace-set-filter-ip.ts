import fc from 'fast-check';
import type { FtraceSetFilterIp } from '../../../model/client/ftrace-set-filter-ip.ts';
import { actions, rarely } from '../draw/weighed.ts';
import { DIRECT, GOPS, OPS } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { filterIn, isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedFtraceSetFilterIp: SearchedCall<FtraceSetFilterIp> = {
  draw({ profile: { fgraph }, ip }) {
    const filtered = fc.oneof(
      { weight: 4, arbitrary: OPS },
      { weight: 2, arbitrary: DIRECT },
      { weight: fgraph === 'multi' ? 1 : 0, arbitrary: GOPS.map((name) => `${name}.ops`) },
    );
    return [actions(14, 'ftrace_set_filter_ip', { ops: filtered, ip, remove: rarely, reset: rarely })];
  },
  isLikely: (p, { ops, ip, remove }) =>
    remove === filterIn(p, ops).includes(ip) &&
    !isLive(p, ops) &&
    (!ops.startsWith('ops#') || p.flags[ops] !== undefined),
  rashness: 4,
  effort: 4,
  optionEffort: ({ remove, reset }) => count(remove, reset),
  plainer: (action) => [
    { ...action, reset: false },
    { ...action, remove: false },
  ],
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
};

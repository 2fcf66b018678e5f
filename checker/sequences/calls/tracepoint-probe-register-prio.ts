import fc from 'fast-check';
import type { TracepointProbeRegisterPrio } from '../../../model/client/tracepoint-probe-register-prio.ts';
import { probeName } from '../../../model/contract/promised-hits.ts';
import { DEFAULT_PRIO } from '../../../model/tracepoint/tracepoint.ts';
import { probesOn } from '../draw/tracepoints.ts';
import { actions } from '../draw/weighed.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { notDrawn } from './searched-call.ts';

const PRIO = fc.constantFrom(DEFAULT_PRIO, DEFAULT_PRIO, DEFAULT_PRIO, 5, 20);

export const searchedTracepointProbeRegisterPrio: SearchedCall<TracepointProbeRegisterPrio> = {
  draw: notDrawn,
  drawHits: (tracepoints) => [
    actions(12, 'tracepoint_probe_register_prio', { ...probesOn(tracepoints), prio: PRIO }),
  ],
  isLikely: (p, action) => !isLive(p, probeName(action)),
  effort: 2,
  plainer: (action) => [{ ...action, prio: DEFAULT_PRIO }],
  lifeOf: ({ func, data }) => `${func} ${data}`,
  objectsOf: (action) => [`probe ${probeName(action)}`],
};

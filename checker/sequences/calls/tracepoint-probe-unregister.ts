import type { TracepointProbeUnregister } from '../../../model/client/tracepoint-probe-unregister.ts';
import { probeName } from '../../../model/contract/promised-hits.ts';
import { probesOn } from '../draw/tracepoints.ts';
import { actions } from '../draw/weighed.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { notDrawn } from './searched-call.ts';

export const searchedTracepointProbeUnregister: SearchedCall<TracepointProbeUnregister> = {
  draw: notDrawn,
  drawHits: (tracepoints) => [actions(12, 'tracepoint_probe_unregister', probesOn(tracepoints))],
  isLikely: (p, action) => isLive(p, probeName(action)),
  effort: 2,
  lifeOf: ({ func, data }) => `${func} ${data}`,
  objectsOf: (action) => [`probe ${probeName(action)}`],
};

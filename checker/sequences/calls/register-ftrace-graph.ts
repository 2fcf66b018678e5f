import type { RegisterFtraceGraph } from '../../../model/client/register-ftrace-graph.ts';
import { actions } from '../draw/weighed.ts';
import { GOPS } from './drawn-names.ts';
import { filterIn, isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedRegisterFtraceGraph: SearchedCall<RegisterFtraceGraph> = {
  draw: () => [actions(4, 'register_ftrace_graph', { gops: GOPS })],
  isLikely: (p, { gops }) =>
    !isLive(p, gops) && (filterIn(p, `${gops}.ops`).length > 0 || filterIn(p, 'global_ops').length > 0),
  effort: 6,
  lifeOf: ({ gops }) => gops,
  objectsOf: ({ gops }) => [`gops ${gops}`],
};

import type { UnregisterFtraceGraph } from '../../../model/client/unregister-ftrace-graph.ts';
import { actions } from '../draw/weighed.ts';
import { GOPS } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedUnregisterFtraceGraph: SearchedCall<UnregisterFtraceGraph> = {
  draw: () => [actions(3, 'unregister_ftrace_graph', { gops: GOPS })],
  isLikely: (p, { gops }) => isLive(p, gops),
  effort: 6,
  lifeOf: ({ gops }) => gops,
  objectsOf: ({ gops }) => [`gops ${gops}`],
  givesBack: ({ gops }) => ({ do: 'kfree', object: gops }),
};

import type { UnregisterFtraceFunction } from '../../../model/client/unregister-ftrace-function.ts';
import { actions } from '../draw/weighed.ts';
import { OPS } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedUnregisterFtraceFunction: SearchedCall<UnregisterFtraceFunction> = {
  draw: () => [actions(4, 'unregister_ftrace_function', { ops: OPS })],
  isLikely: (p, { ops }) => isLive(p, ops),
  effort: 4,
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
  next: ({ ops }) => ({ word: 'free', action: { do: 'kfree', object: ops } }),
  givesBack: ({ ops }) => ({ do: 'kfree', object: ops }),
};

import type { RegisterFtraceFunction } from '../../../model/client/register-ftrace-function.ts';
import { actions } from '../draw/weighed.ts';
import { OPS } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { filterIn, isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedRegisterFtraceFunction: SearchedCall<RegisterFtraceFunction> = {
  draw: () => [actions(14, 'register_ftrace_function', { ops: OPS })],
  isLikely: (p, { ops }) => !isLive(p, ops) && p.flags[ops] !== undefined && filterIn(p, ops).length > 0,
  effort: 4,
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
  next: ({ ops }) => ({ word: 'off', action: { do: 'unregister_ftrace_function', ops } }),
};

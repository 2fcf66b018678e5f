import type { RegisterFtraceDirect } from '../../../model/client/register-ftrace-direct.ts';
import { actions } from '../draw/weighed.ts';
import { ADDR, DIRECT } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { filterIn, isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedRegisterFtraceDirect: SearchedCall<RegisterFtraceDirect> = {
  draw: () => [actions(6, 'register_ftrace_direct', { ops: DIRECT, addr: ADDR })],
  isLikely: (p, { ops }) => !isLive(p, ops) && filterIn(p, ops).length > 0,
  effort: 4,
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
  next: ({ ops, addr }) => ({
    word: 'unregister',
    action: { do: 'unregister_ftrace_direct', ops, addr, freeFilters: true },
  }),
};

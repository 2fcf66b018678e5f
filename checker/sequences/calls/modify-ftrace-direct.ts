import type { ModifyFtraceDirect } from '../../../model/client/modify-ftrace-direct.ts';
import { actions } from '../draw/weighed.ts';
import { ADDR, DIRECT } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedModifyFtraceDirect: SearchedCall<ModifyFtraceDirect> = {
  draw: () => [actions(3, 'modify_ftrace_direct', { ops: DIRECT, addr: ADDR })],
  isLikely: (p, { ops }) => isLive(p, ops),
  rashness: 3,
  effort: 4,
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
  next: ({ ops, addr }) => ({
    word: 'unregister',
    action: { do: 'unregister_ftrace_direct', ops, addr, freeFilters: true },
  }),
};

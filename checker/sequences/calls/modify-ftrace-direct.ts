import type { ModifyFtraceDirect } from '../../../model/client/modify-ftrace-direct.ts';
import { actions } from '../draw/weighed.ts';
import { DIRECT_LIFE, unregisterNext } from './direct-life.ts';
import { ADDR, DIRECT } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedModifyFtraceDirect: SearchedCall<ModifyFtraceDirect> = {
  ...DIRECT_LIFE,
  draw: () => [actions(3, 'modify_ftrace_direct', { ops: DIRECT, addr: ADDR })],
  isLikely: (p, { ops }) => isLive(p, ops),
  rashness: 3,
  next: unregisterNext,
};

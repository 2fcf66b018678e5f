import type { RegisterFtraceDirect } from '../../../model/client/register-ftrace-direct.ts';
import { actions } from '../draw/weighed.ts';
import { DIRECT_LIFE, unregisterNext } from './direct-life.ts';
import { ADDR, DIRECT } from './drawn-names.ts';
import { filterIn, isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedRegisterFtraceDirect: SearchedCall<RegisterFtraceDirect> = {
  ...DIRECT_LIFE,
  draw: () => [actions(6, 'register_ftrace_direct', { ops: DIRECT, addr: ADDR })],
  isLikely: (p, { ops }) => !isLive(p, ops) && filterIn(p, ops).length > 0,
  next: unregisterNext,
};

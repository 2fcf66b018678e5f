import fc from 'fast-check';
import type { FtraceFreeFilter } from '../../../model/client/ftrace-free-filter.ts';
import { actions } from '../draw/weighed.ts';
import { DIRECT, OPS } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import type { SearchedCall } from './searched-call.ts';
import { always } from './searched-call.ts';

export const searchedFtraceFreeFilter: SearchedCall<FtraceFreeFilter> = {
  draw: () => [actions(1, 'ftrace_free_filter', { ops: fc.oneof(OPS, DIRECT) })],
  isLikely: always,
  effort: 8,
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
};

import type { SetFtraceFilter } from '../../../model/client/set-ftrace-filter.ts';
import { weighed } from '../draw/weighed.ts';
import { fileOf, writes } from './filter-writes.ts';
import type { SearchedCall } from './searched-call.ts';
import { always } from './searched-call.ts';

export const searchedSetFtraceFilter: SearchedCall<SetFtraceFilter> = {
  draw: ({ profile, ip }) => [weighed(profile.fgraph === 'single' ? 3 : 0, writes('set_ftrace_filter', ip))],
  isLikely: always,
  effort: 5,
  lifeOf: ({ ops }) => fileOf(ops),
  objectsOf: ({ ops }) => [`ops ${fileOf(ops)}`],
};

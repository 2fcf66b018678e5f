import type { SetFtraceNotrace } from '../../../model/client/set-ftrace-notrace.ts';
import { weighed } from '../draw/weighed.ts';
import { fileOf, writes } from './filter-writes.ts';
import type { SearchedCall } from './searched-call.ts';
import { always } from './searched-call.ts';

export const searchedSetFtraceNotrace: SearchedCall<SetFtraceNotrace> = {
  draw: ({ profile, ip }) => [weighed(profile.fgraph === 'single' ? 1 : 0, writes('set_ftrace_notrace', ip))],
  isLikely: always,
  effort: 8,
  lifeOf: ({ ops }) => fileOf(ops),
  objectsOf: ({ ops }) => [`ops ${fileOf(ops)}`],
};

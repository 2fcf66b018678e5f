import type { SetFtraceFilter } from '../../../model/client/set-ftrace-filter.ts';
import { actions, rarely } from '../draw/weighed.ts';
import type { SearchedCall } from './searched-call.ts';
import { always } from './searched-call.ts';

export const searchedSetFtraceFilter: SearchedCall<SetFtraceFilter> = {
  draw: ({ profile, ip }) => [
    actions(profile.fgraph === 'single' ? 3 : 0, 'set_ftrace_filter', { ip, remove: rarely }),
  ],
  isLikely: always,
  effort: 5,
  lifeOf: () => 'global_ops',
  objectsOf: () => ['ops global_ops'],
};

import type { SetFtraceNotrace } from '../../../model/client/set-ftrace-notrace.ts';
import { actions, rarely } from '../draw/weighed.ts';
import type { SearchedCall } from './searched-call.ts';
import { always } from './searched-call.ts';

export const searchedSetFtraceNotrace: SearchedCall<SetFtraceNotrace> = {
  draw: ({ profile, ip }) => [
    actions(profile.fgraph === 'single' ? 1 : 0, 'set_ftrace_notrace', { ip, remove: rarely }),
  ],
  isLikely: always,
  effort: 8,
  lifeOf: () => 'global_ops',
  objectsOf: () => ['ops global_ops'],
};

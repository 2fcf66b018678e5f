import type { FtraceSetNotrace } from '../../../model/client/ftrace-set-notrace.ts';
import { actions, rarely } from '../draw/weighed.ts';
import { OPS } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import type { SearchedCall } from './searched-call.ts';
import { always, count } from './searched-call.ts';

export const searchedFtraceSetNotrace: SearchedCall<FtraceSetNotrace> = {
  draw: ({ ip }) => [actions(1, 'ftrace_set_notrace', { ops: OPS, ip, reset: rarely })],
  isLikely: always,
  effort: 8,
  optionEffort: ({ reset }) => count(reset),
  plainer: (action) => [{ ...action, reset: false }],
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
};

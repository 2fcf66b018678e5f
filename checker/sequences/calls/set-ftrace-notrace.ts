import type { SetFtraceNotrace } from '../../../model/client/set-ftrace-notrace.ts';
import {
  isLikelyWrite,
  objectsOfFile,
  ownerOfFile,
  plainerWrites,
  writeEffort,
  writes,
} from './filter-writes.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedSetFtraceNotrace: SearchedCall<SetFtraceNotrace> = {
  draw: (from) => writes('set_ftrace_notrace', 1, from),
  isLikely: isLikelyWrite,
  effort: 8,
  optionEffort: writeEffort,
  plainer: plainerWrites,
  lifeOf: ownerOfFile,
  objectsOf: objectsOfFile,
};

import type { SetFtraceFilter } from '../../../model/client/set-ftrace-filter.ts';
import {
  isLikelyWrite,
  objectsOfFile,
  ownerOfFile,
  plainerWrites,
  writeEffort,
  writes,
} from './filter-writes.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedSetFtraceFilter: SearchedCall<SetFtraceFilter> = {
  draw: (from) => writes('set_ftrace_filter', 3, from),
  isLikely: isLikelyWrite,
  effort: 5,
  optionEffort: writeEffort,
  plainer: plainerWrites,
  lifeOf: ownerOfFile,
  objectsOf: objectsOfFile,
};

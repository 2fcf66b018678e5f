import { written } from '../contract/changes.ts';
import { EVERYWHERE } from '../contract/footprint.ts';
import type { ClientCall } from './client-call.ts';
import type { FilterWrite } from './filter-file.ts';
import { hasNoFile, opsOfFile, printedWrite, readWrite, servedByFile, undoneWrite } from './filter-file.ts';

/*
 * A write to set_ftrace_filter in tracefs, with open() and close(). Of the users of `global_ops` in this model only
 * function graph of 6.1 goes by that filter (`graph_ops` shares its hash); since 6.11 each user has its own. EINVAL
 * when no function matches: after `>` the filter is empty even so, and means every function.
 */

export type SetFtraceFilter = FilterWrite<'set_ftrace_filter'>;

export const setFtraceFilterCall: ClientCall<SetFtraceFilter> = {
  sentence:
    'Writes functions into the filter of the tracing directory, by which the only user of function graph of 6.1 goes, or of an instance, or takes them out.',
  examples: [
    { do: 'set_ftrace_filter', glob: 'f1', remove: false },
    { do: 'set_ftrace_filter', glob: 'f1', remove: true },
    { do: 'set_ftrace_filter', glob: 'f*', remove: false, truncate: true },
    { do: 'set_ftrace_filter', glob: 'f1', remove: false, ops: 'ops#1' },
    { do: 'set_ftrace_filter', glob: '', remove: false, truncate: true, ops: 'gops#1.ops' },
  ],
  service: servedByFile('filter'),
  role: 'something else',
  isMisuse: hasNoFile,
  promised: (p, action) => written(p, opsOfFile(action), 'filter', action),
  isDoneAnyway: ['EINVAL'],
  // The last function that is removed turns the filter into one of every function.
  touched: () => EVERYWHERE,
  undo: undoneWrite,
  print: printedWrite,
  parse: (line) => readWrite('set_ftrace_filter', line),
};

import { written } from '../contract/changes.ts';
import { EVERYWHERE } from '../contract/footprint.ts';
import type { ClientCall } from './client-call.ts';
import type { FilterWrite } from './filter-file.ts';
import { hasNoFile, opsOfFile, printedWrite, readWrite, servedByFile, undoneWrite } from './filter-file.ts';

/** The tracing directory's set_ftrace_notrace: what its own users do not trace, whatever their filter says. */
export type SetFtraceNotrace = FilterWrite<'set_ftrace_notrace'>;

export const setFtraceNotraceCall: ClientCall<SetFtraceNotrace> = {
  sentence:
    'Keeps functions out of the only user of function graph of 6.1, or of an instance, whatever its filter says, or no longer.',
  examples: [
    { do: 'set_ftrace_notrace', glob: 'f1', remove: false },
    { do: 'set_ftrace_notrace', glob: 'f1', remove: true },
    { do: 'set_ftrace_notrace', glob: 'f*', remove: false, truncate: true, ops: 'gops#1.ops' },
  ],
  service: servedByFile('notrace'),
  role: 'something else',
  isMisuse: hasNoFile,
  promised: (p, action) => written(p, opsOfFile(action), 'notrace', action),
  isDoneAnyway: ['EINVAL'],
  touched: () => EVERYWHERE,
  undo: undoneWrite,
  print: printedWrite,
  parse: (line) => readWrite('set_ftrace_notrace', line),
};

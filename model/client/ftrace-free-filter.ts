import { withoutFilter } from '../contract/changes.ts';
import type { OpsId } from '../core/ids.ts';
import { ftraceFreeFilter } from '../ftrace/set-filter.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isEnabled } from './ops-in-use.ts';
import { called } from './spelling.ts';

/*
 * ftrace_free_filter() in kernel/trace/ftrace.c frees both hashes at once: no lock, no grace period. It is for an
 * ops that is not registered, after unregister_ftrace_function() has waited for its callers: 7.2 warns of any
 * other, and 6.1 and 6.12 neither check it nor clear the pointers.
 */

export interface FtraceFreeFilter {
  readonly do: 'ftrace_free_filter';
  readonly ops: OpsId;
}

export const ftraceFreeFilterCall: ClientCall<FtraceFreeFilter> = {
  sentence: 'Gives the filters of an ops back.',
  examples: [{ do: 'ftrace_free_filter', ops: 'ops#1' }],
  service: servedBy(ftraceFreeFilter, argsOf),
  role: 'something else',
  returnsNothing: true,
  // A use after free by design: callers of an enabled ops test its hashes, and later updates of records follow
  // them.
  isMisuse: (k, { ops }) => isEnabled(k, ops),
  promised: (p, { ops }) => withoutFilter(p, ops),
  touched: (_p, _k, { ops }) => ({ functions: [], objects: [ops] }),
  print: ({ do: name, ops }) => called(name, ops),
  parse: ({ name, args: [ops = ''] }) => (name === 'ftrace_free_filter' ? { do: name, ops } : undefined),
};

import { without } from '../contract/changes.ts';
import { traced } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import { unregisterFtraceFunction } from '../ftrace/register.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isDirect } from './ops-in-use.ts';
import { called } from './spelling.ts';

/*
 * unregister_ftrace_function() in kernel/trace/ftrace.c: ENODEV when ftrace is dead, EBUSY with a WARN for an
 * ops that is not enabled. An ops with FTRACE_OPS_FL_DYNAMIC waits for RCU-tasks-rude and RCU-tasks: when the
 * call has returned, its memory and its trampoline have no reader left. The hashes stay; ftrace_free_filter()
 * frees them.
 */

export interface UnregisterFtraceFunction {
  readonly do: 'unregister_ftrace_function';
  readonly ops: OpsId;
}

export const unregisterFtraceFunctionCall: ClientCall<UnregisterFtraceFunction> = {
  sentence: 'Unregisters an ops.',
  examples: [{ do: 'unregister_ftrace_function', ops: 'ops#1' }],
  service: servedBy(unregisterFtraceFunction, argsOf),
  role: 'detaches',
  isMisuse: (k, { ops }) => isDirect(k, ops),
  promised: (p, { ops }) => without(p, ops),
  registered: ({ ops }) => ops,
  touched: (p, _, { ops }) => ({ functions: traced(p, ops), objects: [ops] }),
  print: ({ do: name, ops }) => called(name, ops),
  parse: ({ name, args: [ops = ''] }) =>
    name === 'unregister_ftrace_function' ? { do: name, ops } : undefined,
};

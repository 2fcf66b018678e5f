import { filtered } from '../contract/changes.ts';
import { ofFilter } from '../contract/footprint.ts';
import type { Ip, OpsId } from '../core/ids.ts';
import { ftraceSetNotrace } from '../ftrace/set-filter.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isDirectInUse } from './ops-in-use.ts';
import { bit, called } from './spelling.ts';

/*
 * ftrace_set_notrace() in kernel/trace/ftrace.c takes a pattern, of which a plain name is the simplest case; no
 * match is EINVAL. The notrace hash wins over the filter. An IPMODIFY ops cannot have one: its filter has to
 * name each function, so that two of them are noticed on one function (EINVAL).
 */

/** There is no call that removes a function from this hash: `reset`, or ftrace_free_filter(), empties it. */
export interface FtraceSetNotrace {
  readonly do: 'ftrace_set_notrace';
  readonly ops: OpsId;
  readonly ip: Ip;
  readonly reset: boolean;
}

export const ftraceSetNotraceCall: ClientCall<FtraceSetNotrace> = {
  sentence: 'Keeps a function out of an ops; the number is `reset`.',
  examples: [
    { do: 'ftrace_set_notrace', ops: 'ops#1', ip: 'f1', reset: false },
    { do: 'ftrace_set_notrace', ops: 'ops#1', ip: 'f1', reset: true },
  ],
  service: servedBy(ftraceSetNotrace, argsOf),
  role: 'something else',
  isMisuse: (k, { ops }) => isDirectInUse(k, ops),
  promised: (p, { ops, ip, reset }) => filtered(p, ops, 'notrace', ip, false, reset),
  touched: (p, _, { ops, ip }) => ofFilter(p, ops, ip),
  undo: ({ ops }) => [{ do: 'ftrace_free_filter', ops }],
  print: ({ do: name, ops, ip, reset }) => called(name, ops, ip, ...(reset ? [bit(reset)] : [])),
  parse({ name, args: [ops = '', ip = '', reset] }) {
    return name === 'ftrace_set_notrace' ? { do: name, ops, ip, reset: reset === '1' } : undefined;
  },
};

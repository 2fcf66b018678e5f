import { joined, PLAIN } from '../contract/changes.ts';
import { traced } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import { FTRACE_OPS_FL_IPMODIFY, opsOf } from '../ftrace/ops.ts';
import { registerFtraceFunction } from '../ftrace/register.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isDirect } from './ops-in-use.ts';
import { called } from './spelling.ts';

/*
 * register_ftrace_function() in kernel/trace/ftrace.c. Under `direct_mutex`,
 * prepare_direct_functions_for_ipmodify() asks for the consent of the owner of each direct call first, if this
 * ops is IPMODIFY (EAGAIN, EBUSY). Then ftrace_startup() under `ftrace_lock`: ENODEV when ftrace is dead, EBUSY
 * with a WARN when the ops is enabled, EBUSY for a PERMANENT ops while ftrace is switched off, and EBUSY or
 * EINVAL from ftrace_hash_ipmodify_enable(), after which the ops is taken off the list again.
 */

export interface RegisterFtraceFunction {
  readonly do: 'register_ftrace_function';
  readonly ops: OpsId;
}

export const registerFtraceFunctionCall: ClientCall<RegisterFtraceFunction> = {
  sentence: 'Registers an ops on the functions of its filter; an empty filter is all of them.',
  examples: [{ do: 'register_ftrace_function', ops: 'ops#1' }],
  service: servedBy(registerFtraceFunction, argsOf),
  role: 'attaches',
  // The list function of an ops without func is a NULL pointer. A direct ops has an interface of its own.
  isMisuse: (k, { ops }) => opsOf(k, ops).func === '' || isDirect(k, ops),
  // By its filter, not by a copy of it: ftrace_set_filter_ip() on a registered ops is a normal call.
  promised: (p, { ops }) =>
    joined(p, {
      ...PLAIN,
      who: ops,
      object: ops,
      kind: 'ftrace',
      filterOf: ops,
      ipmodify: ((p.flags[ops] ?? 0) & FTRACE_OPS_FL_IPMODIFY) !== 0,
    }),
  registered: ({ ops }) => ops,
  touched: (p, _, { ops }) => ({ functions: traced(p, ops), objects: [ops] }),
  detach: ({ ops }) => ({ do: 'unregister_ftrace_function', ops }),
  print: ({ do: name, ops }) => called(name, ops),
  parse: ({ name, args: [ops = ''] }) =>
    name === 'register_ftrace_function' ? { do: name, ops } : undefined,
};

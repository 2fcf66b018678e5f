import { filtered } from '../contract/changes.ts';
import { ofFilter } from '../contract/footprint.ts';
import type { Ip, OpsId } from '../core/ids.ts';
import { ftraceSetFilterIp } from '../ftrace/set-filter.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isDirectInUse } from './ops-in-use.ts';
import { bit, called } from './spelling.ts';

/*
 * ftrace_set_filter_ip() and ftrace_set_hash() in kernel/trace/ftrace.c. ENODEV when ftrace is dead, before any
 * lock. Then, under the `regex_lock` of the hashes: EINVAL for an address that is no call site, ENOENT for the
 * removal of one that the hash does not have. The change is made under `ftrace_lock`; EBUSY comes from
 * __ftrace_hash_update_ipmodify() when an IPMODIFY ops gets a function that another one has.
 *
 * An empty filter means every function. Removing the last function of an enabled ops therefore makes it trace
 * all.
 */

/**
 * `remove` takes the function out of the hash. `reset` starts from an empty hash, in which nothing can be
 * removed.
 */
export interface FtraceSetFilterIp {
  readonly do: 'ftrace_set_filter_ip';
  readonly ops: OpsId;
  readonly ip: Ip;
  readonly remove: boolean;
  readonly reset: boolean;
}

/** One site more in the filter of an ops. */
export function filterOn(ops: OpsId, ip: Ip): FtraceSetFilterIp {
  return { do: 'ftrace_set_filter_ip', ops, ip, remove: false, reset: false };
}

export const ftraceSetFilterIpCall: ClientCall<FtraceSetFilterIp> = {
  sentence: 'Puts a function into the filter of an ops; the two numbers are `remove` and `reset`.',
  examples: [
    { do: 'ftrace_set_filter_ip', ops: 'ops#1', ip: 'f1', remove: false, reset: false },
    { do: 'ftrace_set_filter_ip', ops: 'ops#1', ip: 'f1', remove: true, reset: false },
  ],
  service: servedBy(ftraceSetFilterIp, argsOf),
  role: 'something else',
  // The kernel does not check: the filter of a direct call and `direct_functions` would disagree.
  isMisuse: (k, { ops }) => isDirectInUse(k, ops),
  promised: (p, { ops, ip, remove, reset }) => filtered(p, ops, 'filter', ip, remove, reset),
  touched: (p, _, { ops, ip }) => ofFilter(p, ops, ip),
  // A removal undone is an addition. A reset cannot be undone by one call: what the hash had before is not in
  // the action.
  undo: (action) => [{ ...action, remove: !action.remove, reset: false }],
  print: ({ do: name, ops, ip, remove, reset }) =>
    called(name, ops, ip, ...(remove || reset ? [bit(remove), bit(reset)] : [])),
  parse({ name, args: [ops = '', ip = '', remove, reset] }) {
    if (name !== 'ftrace_set_filter_ip') return undefined;
    return { do: name, ops, ip, remove: remove === '1', reset: reset === '1' };
  },
};

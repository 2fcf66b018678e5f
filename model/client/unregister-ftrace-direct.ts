import { isDirectOf, withoutFilter } from '../contract/changes.ts';
import { ofDirect } from '../contract/footprint.ts';
import type { CodeName, OpsId } from '../core/ids.ts';
import { unregisterFtraceDirect } from '../ftrace/direct.ts';
import { FTRACE_OPS_FL_INITIALIZED, opsOf } from '../ftrace/ops.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { addressIn, called, isPerSite, namedForOps } from './spelling.ts';

/*
 * unregister_ftrace_direct(ops, addr, free_filters) in kernel/trace/ftrace.c: EINVAL for an ops that is not
 * direct or not enabled, then the errno of unregister_ftrace_function(). Entries are removed even when that
 * fails, and only those with this address. Until 6.3 there was no `free_filters`.
 */

export interface UnregisterFtraceDirect {
  readonly do: 'unregister_ftrace_direct';
  readonly ops: OpsId;
  readonly addr: CodeName;
  /** The filter of the ops goes as well. */
  readonly freeFilters: boolean;
}

export const unregisterFtraceDirectCall: ClientCall<UnregisterFtraceDirect> = {
  sentence: 'They call none any more; `true` frees the filters as well.',
  examples: [
    { do: 'unregister_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1', freeFilters: false },
    { do: 'unregister_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1', freeFilters: true },
  ],
  service: servedBy(unregisterFtraceDirect, argsOf),
  role: 'detaches',
  // unregister_ftrace_direct_multi() of 6.1 follows `ops->func_hash` before it checks the flags: NULL until a
  // filter is set.
  isMisuse: (k, { ops }) => isPerSite(k) && (opsOf(k, ops).flags & FTRACE_OPS_FL_INITIALIZED) === 0,
  promised: (p, { ops, freeFilters }) => {
    const left = { ...p, clients: p.clients.filter((client) => !isDirectOf(ops, client)) };
    return freeFilters ? withoutFilter(left, ops) : left;
  },
  registered: ({ ops }) => ops,
  touched: (p, _, { ops, addr }) => ofDirect(p, ops, addr),
  print: ({ do: name, ops, addr, freeFilters }, spelling) =>
    called(namedForOps(name, spelling), ops, addr, ...(freeFilters ? ['true'] : [])),
  parse({ name, args: [ops = '', addr, freed] }, spelling) {
    const own = 'unregister_ftrace_direct';
    if (name !== namedForOps(own, spelling)) return undefined;
    return { do: own, ops, addr: addressIn(addr), freeFilters: freed === 'true' };
  },
};

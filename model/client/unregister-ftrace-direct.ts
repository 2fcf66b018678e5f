import { without, withoutFilter } from '../contract/changes.ts';
import { ofDirect } from '../contract/footprint.ts';
import type { CodeName, OpsId } from '../core/ids.ts';
import { unregisterFtraceDirect } from '../ftrace/direct.ts';
import { FTRACE_OPS_FL_INITIALIZED, opsOf } from '../ftrace/ops.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { addressIn, called, isPerSite, namedForOps } from './spelling.ts';

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
  isMisuse: (k, { ops }) => isPerSite(k) && (opsOf(k, ops).flags & FTRACE_OPS_FL_INITIALIZED) === 0,
  promised: (p, { ops, freeFilters }) => {
    const left = without(p, ops);
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

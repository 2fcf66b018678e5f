import { bySite, retarget } from '../contract/changes.ts';
import { ofHash } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import type { DirectHash } from '../ftrace/direct-hash.ts';
import { updateFtraceDirectMod } from '../ftrace/direct-hash-modify.ts';
import type { ClientCall } from './client-call.ts';
import { argsWithTime, servedBy } from './client-call.ts';
import { hasTables, namesOthers, parseTable, printUpdate } from './direct-table.ts';

/*
 * update_ftrace_direct_mod() in kernel/trace/ftrace.c, 7.0 and later: the detour through a temporary ops as in
 * modify_ftrace_direct(), on the sites of the table alone. Addresses that the sites have now are not compared.
 */

/** Sites of an ops call other trampolines. */
export interface UpdateFtraceDirectMod {
  readonly do: 'update_ftrace_direct_mod';
  readonly ops: OpsId;
  readonly hash: DirectHash;
}

export const updateFtraceDirectModCall: ClientCall<UpdateFtraceDirectMod> = {
  sentence: 'Functions of an ops call other trampolines.',
  examples: [{ do: 'update_ftrace_direct_mod', ops: 'direct#1', hash: { f1: 'my_tramp3' } }],
  // A client holds no lock. An `ops_func` is called with `direct_mutex` held, and passes false.
  service: servedBy(updateFtraceDirectMod, (action, k) => ({
    ...argsWithTime(action, k),
    lockDirectMutex: true,
  })),
  role: 'changes',
  inKernel: hasTables,
  isMisuse: (k, { ops, hash }) => namesOthers(k, ops, hash),
  promised: (p, { ops, hash }) => retarget(bySite(p, ops), hash),
  touched: (_p, _k, { ops, hash }) => ofHash(ops, hash),
  print: ({ do: name, ops, hash }) => printUpdate(name, ops, hash),
  parse({ name, args: [ops = '', table] }) {
    return name === 'update_ftrace_direct_mod' ? { do: name, ops, hash: parseTable(table) } : undefined;
  },
};

import { bySite, withoutDirect } from '../contract/changes.ts';
import { ofHash } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import type { DirectHash } from '../ftrace/direct-hash.ts';
import { updateFtraceDirectDel } from '../ftrace/direct-hash.ts';
import type { ClientCall } from './client-call.ts';
import { argsWithTime, servedBy } from './client-call.ts';
import { hasTables, namesOthers, parseTable, printUpdate } from './direct-table.ts';

/*
 * update_ftrace_direct_del() in kernel/trace/ftrace.c, 7.0 and later. EINVAL for an empty table, an ops that is
 * not direct or not enabled, and, under `direct_mutex`, for a site whose entry has another address. With its
 * last site the ops is unregistered and its hashes are freed.
 */

/** Each site with the address that it calls now: a table that is out of date is refused as a whole. */
export interface UpdateFtraceDirectDel {
  readonly do: 'update_ftrace_direct_del';
  readonly ops: OpsId;
  readonly hash: DirectHash;
}

export const updateFtraceDirectDelCall: ClientCall<UpdateFtraceDirectDel> = {
  sentence: 'Takes functions off an ops.',
  examples: [{ do: 'update_ftrace_direct_del', ops: 'direct#1', hash: { f1: 'my_tramp1' } }],
  service: servedBy(updateFtraceDirectDel, argsWithTime),
  role: 'detaches',
  inKernel: hasTables,
  isMisuse: (k, { ops, hash }) => namesOthers(k, ops, hash),
  promised: (p, { ops, hash }) => withoutDirect(bySite(p, ops), Object.keys(hash)),
  touched: (_p, _k, { ops, hash }) => ofHash(ops, hash),
  print: ({ do: name, ops, hash }) => printUpdate(name, ops, hash),
  parse({ name, args: [ops = '', table] }) {
    return name === 'update_ftrace_direct_del' ? { do: name, ops, hash: parseTable(table) } : undefined;
  },
};

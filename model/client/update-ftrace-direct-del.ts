import { withoutDirect } from '../contract/changes.ts';
import { ofHash } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import type { DirectHash } from '../ftrace/direct-hash.ts';
import { updateFtraceDirectDel } from '../ftrace/direct-hash.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isWithoutTables, namesOthers, parseTable, printUpdate } from './direct-table.ts';

/** Sites leave an ops. */
export interface UpdateFtraceDirectDel {
  readonly do: 'update_ftrace_direct_del';
  readonly ops: OpsId;
  readonly hash: DirectHash;
}

export const updateFtraceDirectDelCall: ClientCall<UpdateFtraceDirectDel> = {
  service: servedBy(updateFtraceDirectDel, argsOf),
  role: 'detaches',
  isMisuse: (k, { ops, hash }) => isWithoutTables(k) || namesOthers(k, ops, hash),
  promised: (p, { hash }) => withoutDirect(p, Object.keys(hash)),
  touched: (_p, _k, { ops, hash }) => ofHash(ops, hash),
  print: ({ do: name, ops, hash }) => printUpdate(name, ops, hash),
  parse({ name, args: [ops = '', table] }) {
    return name === 'update_ftrace_direct_del' ? { do: name, ops, hash: parseTable(table) } : undefined;
  },
};

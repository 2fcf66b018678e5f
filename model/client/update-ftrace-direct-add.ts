import { direct, joined } from '../contract/changes.ts';
import { ofHash } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import type { DirectHash } from '../ftrace/direct-hash.ts';
import { updateFtraceDirectAdd } from '../ftrace/direct-hash.ts';
import { isThere } from '../text/module.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { isWithoutTables, parseTable, printUpdate } from './direct-table.ts';

/** Sites come to an ops, each with the trampoline that it calls. */
export interface UpdateFtraceDirectAdd {
  readonly do: 'update_ftrace_direct_add';
  readonly ops: OpsId;
  readonly hash: DirectHash;
}

export const updateFtraceDirectAddCall: ClientCall<UpdateFtraceDirectAdd> = {
  service: servedBy(updateFtraceDirectAdd, argsOf),
  role: 'attaches',
  isMisuse: (k, { hash }) => isWithoutTables(k) || Object.keys(hash).some((ip) => !isThere(k, ip)),
  promised: (p, { ops, hash }) =>
    Object.entries(hash).reduce((q, [ip, addr]) => joined(q, direct({ ops, ip }, addr)), p),
  touched: (_p, _k, { ops, hash }) => ofHash(ops, hash),
  detach: ({ ops, hash }) => ({ do: 'update_ftrace_direct_del', ops, hash }),
  print: ({ do: name, ops, hash }) => printUpdate(name, ops, hash),
  parse({ name, args: [ops = '', table] }) {
    return name === 'update_ftrace_direct_add' ? { do: name, ops, hash: parseTable(table) } : undefined;
  },
};

import { direct, joined } from '../contract/changes.ts';
import { ofHash } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import type { DirectHash } from '../ftrace/direct-hash.ts';
import { updateFtraceDirectAdd } from '../ftrace/direct-hash.ts';
import { isThere } from '../text/module.ts';
import type { ClientCall } from './client-call.ts';
import { argsWithTime, servedBy } from './client-call.ts';
import { hasTables, parseTable, printUpdate } from './direct-table.ts';

/*
 * update_ftrace_direct_add() in kernel/trace/ftrace.c, 7.0 and later. EINVAL for an empty table, and, under
 * `direct_mutex`, for a site that has a direct call of any ops. An ops with an empty filter is registered; any
 * other has its filter moved, which patches only the added sites.
 */

/**
 * A table of sites, each with the trampoline that it calls, joins an ops: all of it, or nothing when one is
 * refused.
 */
export interface UpdateFtraceDirectAdd {
  readonly do: 'update_ftrace_direct_add';
  readonly ops: OpsId;
  readonly hash: DirectHash;
}

export const updateFtraceDirectAddCall: ClientCall<UpdateFtraceDirectAdd> = {
  sentence: 'Adds functions to an ops, each with the trampoline that it calls.',
  examples: [{ do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1', f2: 'my_tramp2' } }],
  service: servedBy(updateFtraceDirectAdd, argsWithTime),
  role: 'attaches',
  inKernel: hasTables,
  // No address of the table is checked: a site that is none would have an entry that nothing ever uses.
  isMisuse: (k, { hash }) => Object.keys(hash).some((ip) => !isThere(k, ip)),
  promised: (p, { ops, hash }) =>
    Object.entries(hash).reduce((q, [ip, addr]) => joined(q, direct({ ops, ip }, addr)), p),
  touched: (_p, _k, { ops, hash }) => ofHash(ops, hash),
  detach: ({ ops, hash }) => ({ do: 'update_ftrace_direct_del', ops, hash }),
  print: ({ do: name, ops, hash }) => printUpdate(name, ops, hash),
  parse({ name, args: [ops = '', table] }) {
    return name === 'update_ftrace_direct_add' ? { do: name, ops, hash: parseTable(table) } : undefined;
  },
};

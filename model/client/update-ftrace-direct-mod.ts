import { retarget } from '../contract/changes.ts';
import { ofHash } from '../contract/footprint.ts';
import type { OpsId } from '../core/ids.ts';
import type { DirectHash } from '../ftrace/direct-hash.ts';
import { updateFtraceDirectMod } from '../ftrace/direct-hash-modify.ts';
import type { ClientCall } from './client-call.ts';
import { servedBy } from './client-call.ts';
import { hasTables, namesOthers, parseTable, printUpdate } from './direct-table.ts';

/** Sites of an ops call other trampolines. */
export interface UpdateFtraceDirectMod {
  readonly do: 'update_ftrace_direct_mod';
  readonly ops: OpsId;
  readonly hash: DirectHash;
}

export const updateFtraceDirectModCall: ClientCall<UpdateFtraceDirectMod> = {
  sentence: 'Functions of an ops call other trampolines.',
  examples: [{ do: 'update_ftrace_direct_mod', ops: 'direct#1', hash: { f1: 'my_tramp3' } }],
  service: servedBy(updateFtraceDirectMod, ({ ops, hash }) => ({ ops, hash, lockDirectMutex: true })),
  role: 'changes',
  inKernel: hasTables,
  isMisuse: (k, { ops, hash }) => namesOthers(k, ops, hash),
  promised: (p, { hash }) => retarget(p, hash),
  touched: (_p, _k, { ops, hash }) => ofHash(ops, hash),
  print: ({ do: name, ops, hash }) => printUpdate(name, ops, hash),
  parse({ name, args: [ops = '', table] }) {
    return name === 'update_ftrace_direct_mod' ? { do: name, ops, hash: parseTable(table) } : undefined;
  },
};

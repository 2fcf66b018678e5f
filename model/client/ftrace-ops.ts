import { withoutFilter } from '../contract/changes.ts';
import type { Errno } from '../core/errno.ts';
import type { OpsId } from '../core/ids.ts';
import { clearFilter, dropHashes } from '../ftrace/filter-hash.ts';
import {
  FTRACE_OPS_FL_IPMODIFY,
  FTRACE_OPS_FL_SAVE_REGS,
  parseOpsFlags,
  printOpsFlags,
  zeroedOps,
} from '../ftrace/ops.ts';
import type { Kernel } from '../kernel.ts';
import type { ClientCall } from './client-call.ts';
import { allocated, isFreed } from './kfree.ts';
import { isEnabled } from './ops-in-use.ts';
import { called } from './spelling.ts';

/*
 * A client allocates its ops and fills in `func` and `flags`. Nothing in the kernel is called. An ops of a
 * direct call is left empty, because register_ftrace_direct() sets `func`, `flags` and `trampoline`, and
 * refuses (EINVAL) one that has them already.
 */

/** Fresh memory for an ops: with a handler and flags, or empty for a direct call. */
export interface FtraceOpsCall {
  readonly do: 'ftrace_ops';
  readonly ops: OpsId;
  readonly flags: number;
  readonly direct: boolean;
}

export const ftraceOpsCall: ClientCall<FtraceOpsCall> = {
  sentence:
    'Fresh memory for an ftrace_ops, with a handler and flags; `DIRECT` is an empty one, for direct calls.',
  examples: [
    { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false },
    {
      do: 'ftrace_ops',
      ops: 'ops#1',
      flags: FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_SAVE_REGS,
      direct: false,
    },
    { do: 'ftrace_ops', ops: 'direct#1', flags: 0, direct: true },
  ],
  service: { by: 'client', atOnce: newOps },
  role: 'something else',
  takesMemory: true,
  // Clearing an ops that is on ftrace_ops_list leaves a NULL `func` there, and a NULL `next`.
  isMisuse: (k, { ops }) => !isFreed(k, ops) && isEnabled(k, ops),
  promised: (p, { ops, flags, direct }) => ({
    ...withoutFilter(p, ops),
    flags: { ...p.flags, [ops]: flags },
    handled: [...p.handled.filter((other) => other !== ops), ...(direct ? [] : [ops])],
  }),
  touched: (_p, _k, { ops }) => ({ functions: [], objects: [ops] }),
  print: ({ ops, flags, direct }) =>
    `${ops} = ${called('ftrace_ops', ...(direct ? ['DIRECT'] : flagWords(flags)))}`,
  parse({ name, result, args: [flags = ''] }) {
    if (name !== 'ftrace_ops') return undefined;
    const direct = flags === 'DIRECT';
    return { do: name, ops: result, flags: direct ? 0 : parseOpsFlags(flags), direct };
  },
};

/**
 * Memory that ftrace uses cannot be taken for a new ops: the second check sees what the client cannot, an ops
 * that a failed unregistration left enabled. Fresh memory has no hashes; the ones of the ops that was there
 * before are freed.
 */
function newOps(k: Kernel, { ops: name, flags, direct }: FtraceOpsCall): Errno | 0 {
  allocated(k, name);
  if (isEnabled(k, name)) return 'EBADF';
  dropHashes(k, name);
  k.ftrace.ops[name] = { ...zeroedOps(name), flags, func: direct ? '' : 'ftrace_callback' };
  if ((flags & FTRACE_OPS_FL_IPMODIFY) !== 0) clearFilter(k, name);
  return 0;
}

function flagWords(flags: number): string[] {
  return flags === 0 ? [] : [printOpsFlags(flags)];
}

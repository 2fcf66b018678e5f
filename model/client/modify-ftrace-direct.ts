import { isDirectOf } from '../contract/changes.ts';
import { ofDirect } from '../contract/footprint.ts';
import type { CodeName, OpsId } from '../core/ids.ts';
import { modifyFtraceDirect } from '../ftrace/direct-modify.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { addressIn, called, namedForOps } from './spelling.ts';

/*
 * modify_ftrace_direct(ops, addr) in kernel/trace/ftrace.c; modify_ftrace_direct_multi() until 6.3. EINVAL
 * without a lock: the ops is not direct (check_direct_multi()), or is not enabled. Then, under `direct_mutex`,
 * __modify_ftrace_direct() registers the static `tmp_ops` on the same hash: with two ops, each site calls the
 * list function instead of a trampoline. The entries are changed under `ftrace_lock`, and unregistering
 * `tmp_ops` patches the sites back, to the new address. `tmp_ops` is static and so not DYNAMIC:
 * ftrace_shutdown() waits for nothing, and a task may still be in the old trampoline when the call has
 * returned.
 */

/**
 * All sites of the ops get the same address. Sites that another call has retargeted one by one are not spared.
 */
export interface ModifyFtraceDirect {
  readonly do: 'modify_ftrace_direct';
  readonly ops: OpsId;
  readonly addr: CodeName;
}

export const modifyFtraceDirectCall: ClientCall<ModifyFtraceDirect> = {
  sentence: 'They call another trampoline.',
  examples: [{ do: 'modify_ftrace_direct', ops: 'direct#1', addr: 'my_tramp2' }],
  service: servedBy(modifyFtraceDirect, argsOf),
  role: 'changes',
  isMisuse: never,
  promised: (p, { ops, addr }) => ({
    ...p,
    clients: p.clients.map((client) => (isDirectOf(ops, client) ? { ...client, who: addr } : client)),
  }),
  registered: ({ ops }) => ops,
  touched: (p, _, { ops, addr }) => ofDirect(p, ops, addr),
  print: ({ do: name, ops, addr }, spelling) => called(namedForOps(name, spelling), ops, addr),
  parse({ name, args: [ops = '', addr] }, spelling) {
    const own = 'modify_ftrace_direct';
    return name === namedForOps(own, spelling) ? { do: own, ops, addr: addressIn(addr) } : undefined;
  },
};

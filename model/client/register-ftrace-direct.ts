import { joined, PLAIN } from '../contract/changes.ts';
import { ofDirect } from '../contract/footprint.ts';
import type { CodeName, OpsId } from '../core/ids.ts';
import { registerFtraceDirect } from '../ftrace/direct.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { addressIn, called, namedForOps } from './spelling.ts';

/*
 * register_ftrace_direct(ops, addr) in kernel/trace/ftrace.c. EINVAL without a lock, in this order: `func` or
 * `trampoline` is set, the ops was never initialised (no filter was ever set), it is enabled, its filter is
 * empty. EBUSY under `direct_mutex` when one site of the filter has a direct call: the whole registration is
 * refused. ENOMEM, and then the errnos of ftrace_startup().
 */

/** The functions of an ops's filter call a trampoline of the client's; until 6.3 `register_ftrace_direct_multi()`. */
export interface RegisterFtraceDirect {
  readonly do: 'register_ftrace_direct';
  readonly ops: OpsId;
  readonly addr: CodeName;
}

export const registerFtraceDirectCall: ClientCall<RegisterFtraceDirect> = {
  sentence: "The functions of a filter of an ops call a trampoline of the client's.",
  examples: [{ do: 'register_ftrace_direct', ops: 'direct#1', addr: 'my_tramp1' }],
  service: servedBy(registerFtraceDirect, argsOf),
  role: 'attaches',
  // Each wrong ops is an errno here: the kernel checks whatever it is given.
  isMisuse: never,
  // The filter as it is now, copied: later changes of it are misuse, and so the copy stays right.
  promised: (p, { ops, addr }) =>
    joined(p, { ...PLAIN, who: addr, object: ops, kind: 'direct', ips: p.filters[ops]?.filter ?? [] }),
  registered: ({ ops }) => ops,
  touched: (p, _, { ops, addr }) => ofDirect(p, ops, addr),
  detach: ({ ops, addr }) => ({ do: 'unregister_ftrace_direct', ops, addr, freeFilters: false }),
  print: ({ do: name, ops, addr }, spelling) => called(namedForOps(name, spelling), ops, addr),
  parse({ name, args: [ops = '', addr] }, spelling) {
    const own = 'register_ftrace_direct';
    return name === namedForOps(own, spelling) ? { do: own, ops, addr: addressIn(addr) } : undefined;
  },
};

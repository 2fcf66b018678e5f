import { joined, PLAIN } from '../contract/changes.ts';
import { ofDirect } from '../contract/footprint.ts';
import type { CodeName, OpsId } from '../core/ids.ts';
import { registerFtraceDirect } from '../ftrace/direct.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { addressIn, called, namedForOps } from './spelling.ts';

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
  isMisuse: never,
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

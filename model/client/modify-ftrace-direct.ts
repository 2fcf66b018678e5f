import { ofDirect } from '../contract/footprint.ts';
import type { CodeName, OpsId } from '../core/ids.ts';
import { modifyFtraceDirect } from '../ftrace/direct-modify.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { addressIn, called, namedForOps } from './spelling.ts';

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
    clients: p.clients.map((client) => (client.object === ops ? { ...client, who: addr } : client)),
  }),
  registered: ({ ops }) => ops,
  touched: (p, _, { ops, addr }) => ofDirect(p, ops, addr),
  print: ({ do: name, ops, addr }, spelling) => called(namedForOps(name, spelling), ops, addr),
  parse({ name, args: [ops = '', addr] }, spelling) {
    const own = 'modify_ftrace_direct';
    return name === namedForOps(own, spelling) ? { do: own, ops, addr: addressIn(addr) } : undefined;
  },
};

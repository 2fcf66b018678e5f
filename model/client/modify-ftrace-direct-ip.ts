import { retarget } from '../contract/changes.ts';
import type { Ip } from '../core/ids.ts';
import { modifyFtraceDirectIp } from '../ftrace/direct-ip-modify.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, never, servedBy } from './client-call.ts';
import { addressIn, called, isPerSite } from './spelling.ts';

export interface ModifyFtraceDirectIp {
  readonly do: 'modify_ftrace_direct(ip)';
  readonly ip: Ip;
  readonly oldAddr: string;
  readonly newAddr: string;
}

export const modifyFtraceDirectIpCall: ClientCall<ModifyFtraceDirectIp> = {
  sentence: 'It calls another trampoline.',
  examples: [{ do: 'modify_ftrace_direct(ip)', ip: 'f1', oldAddr: 'my_tramp1', newAddr: 'my_tramp2' }],
  service: servedBy(modifyFtraceDirectIp, argsOf),
  role: 'changes',
  inKernel: isPerSite,
  isMisuse: never,
  promised: (p, { ip, newAddr }) => retarget(p, { [ip]: newAddr }),
  touched: (_p, _k, { ip, oldAddr, newAddr }) => ({ functions: [ip], objects: [oldAddr, newAddr] }),
  print: ({ ip, oldAddr, newAddr }) => called('modify_ftrace_direct', ip, oldAddr, newAddr),
  parse({ name, args: [ip = '', from, to] }, spelling) {
    if (name !== 'modify_ftrace_direct' || !isPerSite(spelling)) return undefined;
    return { do: 'modify_ftrace_direct(ip)', ip, oldAddr: addressIn(from), newAddr: addressIn(to) };
  },
};

import { direct, joined } from '../contract/changes.ts';
import type { CodeName, Ip } from '../core/ids.ts';
import { registerFtraceDirectIp } from '../ftrace/direct-ip.ts';
import type { ClientCall } from './client-call.ts';
import { argsWithTime, never, servedBy } from './client-call.ts';
import { addressIn, called, isPerSite } from './spelling.ts';

/*
 * register_ftrace_direct(ip, addr) in kernel/trace/ftrace.c, 5.5 to 6.3. All of it under `direct_mutex`: ENODEV
 * for an address that is no call site, EBUSY when the site has a direct call of either interface, ENOMEM for
 * the descriptor or the entry, then the errno of `direct_ops`. That ops is PERMANENT, so that the first site is
 * refused with EBUSY while `kernel.ftrace_enabled` is 0.
 */

/** The interface until 6.3: one site calls a trampoline of the client's. */
export interface RegisterFtraceDirectIp {
  readonly do: 'register_ftrace_direct(ip)';
  readonly ip: Ip;
  readonly addr: CodeName;
}

export const registerFtraceDirectIpCall: ClientCall<RegisterFtraceDirectIp> = {
  sentence: "One function calls a trampoline of the client's.",
  examples: [{ do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' }],
  service: servedBy(registerFtraceDirectIp, argsWithTime),
  role: 'attaches',
  inKernel: isPerSite,
  isMisuse: never,
  promised: (p, { ip, addr }) => joined(p, direct({ ops: undefined, ip }, addr)),
  touched: (_p, _k, { ip, addr }) => ({ functions: [ip], objects: [addr] }),
  detach: ({ ip, addr }) => ({ do: 'unregister_ftrace_direct(ip)', ip, addr }),
  print: ({ ip, addr }) => called('register_ftrace_direct', ip, addr),
  parse({ name, args: [ip = '', addr] }, spelling) {
    if (name !== 'register_ftrace_direct' || !isPerSite(spelling)) return undefined;
    return { do: 'register_ftrace_direct(ip)', ip, addr: addressIn(addr) };
  },
};

import { withoutDirect } from '../contract/changes.ts';
import type { CodeName, Ip } from '../core/ids.ts';
import { unregisterFtraceDirectIp } from '../ftrace/direct-ip.ts';
import type { ClientCall } from './client-call.ts';
import { argsWithTime, never, servedBy } from './client-call.ts';
import { addressIn, called, isPerSite } from './spelling.ts';

/*
 * unregister_ftrace_direct(ip, addr) in kernel/trace/ftrace.c, until 6.3, under `direct_mutex`: ENODEV for no
 * call site and for no entry. The address is not compared with the entry: a wrong one removes the direct call,
 * and the descriptor that loses a site is that of the wrong trampoline, or none (WARN).
 */

export interface UnregisterFtraceDirectIp {
  readonly do: 'unregister_ftrace_direct(ip)';
  readonly ip: Ip;
  readonly addr: CodeName;
}

export const unregisterFtraceDirectIpCall: ClientCall<UnregisterFtraceDirectIp> = {
  sentence: 'It calls none any more.',
  examples: [{ do: 'unregister_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' }],
  service: servedBy(unregisterFtraceDirectIp, argsWithTime),
  role: 'detaches',
  inKernel: isPerSite,
  isMisuse: never,
  // Whatever address was given: see above.
  promised: (p, { ip }) => withoutDirect(p, [ip]),
  touched: (_p, _k, { ip, addr }) => ({ functions: [ip], objects: [addr] }),
  print: ({ ip, addr }) => called('unregister_ftrace_direct', ip, addr),
  parse({ name, args: [ip = '', addr] }, spelling) {
    if (name !== 'unregister_ftrace_direct' || !isPerSite(spelling)) return undefined;
    return { do: 'unregister_ftrace_direct(ip)', ip, addr: addressIn(addr) };
  },
};

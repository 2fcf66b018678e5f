import { retarget } from '../contract/changes.ts';
import type { Ip } from '../core/ids.ts';
import { modifyFtraceDirectIp } from '../ftrace/direct-ip-modify.ts';
import type { ClientCall } from './client-call.ts';
import { argsWithTime, never, servedBy } from './client-call.ts';
import { addressIn, called, isPerSite } from './spelling.ts';

/*
 * modify_ftrace_direct(ip, old, new) in kernel/trace/ftrace.c, until 6.3. Under `direct_mutex` and
 * `ftrace_lock`: ENODEV for an address that is no call site or has no entry, EINVAL when the entry has another
 * address than `old`, ENOMEM for the descriptor of `new` when other sites still call `old`.
 *
 * With one user of the site, ftrace_modify_direct_caller() detours through a stub ops, for which it drops
 * `ftrace_lock`. With more, the site calls ftrace_regs_caller already, and storing the address is enough.
 */

/**
 * `oldAddr` is the only claim of ownership that this interface has: any client that knows it can change the
 * entry.
 */
export interface ModifyFtraceDirectIp {
  readonly do: 'modify_ftrace_direct(ip)';
  readonly ip: Ip;
  readonly oldAddr: string;
  readonly newAddr: string;
}

export const modifyFtraceDirectIpCall: ClientCall<ModifyFtraceDirectIp> = {
  sentence: 'It calls another trampoline.',
  examples: [{ do: 'modify_ftrace_direct(ip)', ip: 'f1', oldAddr: 'my_tramp1', newAddr: 'my_tramp2' }],
  service: servedBy(modifyFtraceDirectIp, argsWithTime),
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

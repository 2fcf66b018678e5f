import { joined, PLAIN, without } from '../contract/changes.ts';
import type { FunctionName, ProgId } from '../core/ids.ts';
import { devChangeXdpFd } from '../dispatcher/xdp-attach.ts';
import type { ClientCall } from './client-call.ts';
import { nothingTouched, startedBy } from './client-call.ts';
import { called, numberOf } from './spelling.ts';

/*
 * dev_change_xdp_fd() in net/core/dev.c, by rtnetlink with IFLA_XDP_FD and XDP_FLAGS_SKB_MODE: EBADF for a file
 * descriptor that is closed, EINVAL for a program of another type. The program that was there is replaced.
 */

export interface DevChangeXdpFd {
  readonly do: 'dev_change_xdp_fd';
  /** The device, by the name of the function that receives its packets. */
  readonly dev: FunctionName;
  /** 0: none any more. */
  readonly prog: ProgId;
}

export const devChangeXdpFdCall: ClientCall<DevChangeXdpFd> = {
  sentence: 'The packets of a device run an XDP program, or none any more (`-1`).',
  examples: [
    { do: 'dev_change_xdp_fd', dev: 'eth0', prog: 1 },
    { do: 'dev_change_xdp_fd', dev: 'eth0', prog: 0 },
  ],
  service: startedBy(devChangeXdpFd),
  role: 'changes',
  isMisuse: (k, { dev }) => k.xdp?.devices[dev] === undefined,
  promised: (p, { dev, prog }) => {
    const { returns } = p.programs[prog] ?? {};
    if (returns === undefined) return without(p, dev);
    const program = { kind: 'fentry', multi: false, cookies: {}, returns } as const;
    return joined(p, { ...PLAIN, kind: 'xdp', object: dev, who: `prog#${prog}`, ips: [dev], program });
  },
  touched: nothingTouched,
  undo: ({ do: name, dev, prog }, k) =>
    k.xdp?.devices[dev]?.stateProg === prog ? [{ do: name, dev, prog: 0 }] : [],
  print: ({ do: name, dev, prog }) => called(name, dev, prog === 0 ? '-1' : `prog#${prog}`),
  parse: ({ name, args: [dev = '', prog = ''] }) =>
    name === 'dev_change_xdp_fd'
      ? { do: name, dev, prog: prog === '-1' ? 0 : numberOf(prog, 'prog') }
      : undefined,
};

import { joined, PLAIN } from '../contract/changes.ts';
import { indexOf } from '../contract/footprint.ts';
import type { FprobeId, Ip } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { registerFprobeIps } from '../ftrace/fprobe.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { namesTwice } from './registered-probe.ts';
import { braces, called, inBraces } from './spelling.ts';

export interface RegisterFprobeIps {
  readonly do: 'register_fprobe_ips';
  readonly fprobe: FprobeId;
  readonly ips: readonly Ip[];
  /** Which handlers it has. */
  readonly entry: boolean;
  readonly exit: boolean;
}

export const registerFprobeIpsCall: ClientCall<RegisterFprobeIps> = {
  sentence: 'An fprobe on functions, with an entry handler, an exit handler, or both.',
  examples: [
    { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1', 'f2'], entry: true, exit: true },
    { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1'], entry: true, exit: false },
  ],
  service: servedBy(registerFprobeIps, (action) => ({
    ...argsOf(action),
    maxactive: 0,
    prog: 0,
    vetoes: false,
  })),
  role: 'attaches',
  isMisuse: (k, { fprobe, ips }) =>
    namesTwice(ips) ||
    (k.probes.fprobes[fprobe] !== undefined && profileNamed(k.profile).fprobe === 'rethook'),
  promised: (p, { fprobe, ips, entry, exit }) =>
    joined(p, { ...PLAIN, who: fprobe, object: fprobe, kind: 'fprobe', ips, entry, exit }),
  registered: ({ fprobe }) => fprobe,
  touched: (p, k, { fprobe, ips, exit }) => ({ functions: ips, objects: [fprobe, ...indexOf(p, k, exit)] }),
  sharesOps: 'of fprobes',
  detach: ({ fprobe }) => ({ do: 'unregister_fprobe', fprobe }),
  print: ({ do: name, fprobe, ips, entry, exit }) => {
    const handlers = [...(entry ? ['entry_handler'] : []), ...(exit ? ['exit_handler'] : [])];
    return called(name, fprobe, braces(ips), ...handlers);
  },
  parse({ name, args: [fprobe = '', ips = '', ...handlers] }) {
    if (name !== 'register_fprobe_ips') return undefined;
    const [entry, exit] = [handlers.includes('entry_handler'), handlers.includes('exit_handler')];
    return { do: name, fprobe, ips: inBraces(ips), entry, exit };
  },
};

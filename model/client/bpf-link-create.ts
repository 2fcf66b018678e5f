import { ofLink } from '../contract/footprint.ts';
import { linked } from '../contract/linked.ts';
import type { FunctionName, LinkId, ProgId } from '../core/ids.ts';
import { bpfLinkCreate } from '../trampoline/syscall.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { braces, called, inBraces, numberOf } from './spelling.ts';

/** A program is linked to its target, or to all of these. */
export interface BpfLinkCreate {
  readonly do: 'BPF_LINK_CREATE';
  readonly link: LinkId;
  readonly prog: ProgId;
  readonly targets: readonly FunctionName[];
}

export const bpfLinkCreateCall: ClientCall<BpfLinkCreate> = {
  sentence: 'Links a program to the function that it was loaded for, or to all of these.',
  examples: [
    { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: [] },
    { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'f2'] },
    { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'f1'] },
  ],
  service: servedBy(bpfLinkCreate, argsOf),
  role: 'attaches',
  isMisuse: (k, { link }) => k.bpf.links[link] !== undefined,
  promised: (p, { link, prog, targets }) => linked(p, link, prog, targets),
  touched: (p, k, { link, prog, targets }) => ofLink(p, k, link, prog, targets),
  sharesOps: 'of fprobes',
  detach: ({ link }) => ({ do: 'close(link)', link }),
  print: ({ do: name, link, prog, targets }) =>
    `${link} = ${called(name, `prog#${prog}`, ...(targets.length > 0 ? [braces(targets)] : []))}`,
  parse({ name, result, args: [prog = '', targets] }) {
    if (name !== 'BPF_LINK_CREATE') return undefined;
    const ips = targets === undefined ? [] : inBraces(targets);
    return { do: name, link: result, prog: numberOf(prog, 'prog'), targets: ips };
  },
};

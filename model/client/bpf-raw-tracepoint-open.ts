import { ofLink } from '../contract/footprint.ts';
import { linked } from '../contract/linked.ts';
import type { Promises } from '../contract/promises.ts';
import type { LinkId, ProgId } from '../core/ids.ts';
import { bpfRawTpLinkAttach } from '../raw-tracepoint/link.ts';
import { DEFAULT_PRIO } from '../tracepoint/tracepoint.ts';
import { bpfLinkCreate } from '../trampoline/syscall.ts';
import { ZERO } from '../x86/word.ts';
import type { ClientCall, ClientRequest } from './client-call.ts';
import { argsOf } from './client-call.ts';
import { called, numberOf } from './spelling.ts';

/*
 * bpf_raw_tracepoint_open() in kernel/bpf/syscall.c. The command is older than BPF_LINK_CREATE and serves two
 * kinds of program, which bpf_raw_tp_link_attach() separates by the type of the program: a tracing program
 * attaches to the target of its load (a name is EINVAL then), a raw tracepoint program needs the name of a
 * tracepoint (EFAULT without a name, ENOENT when there is none). Links of raw tracepoints have
 * a cookie since 6.10, those of tracing programs none.
 */

export interface BpfRawTracepointOpen {
  readonly do: 'BPF_RAW_TRACEPOINT_OPEN';
  readonly link: LinkId;
  readonly prog: ProgId;
  /** Absent: the program is for tracing, and has its target already. */
  readonly tracepoint?: string;
}

/** A link of a raw tracepoint program, by its number. */
export function rawTracepointOpen(prog: ProgId, tracepoint: string): BpfRawTracepointOpen {
  return { do: 'BPF_RAW_TRACEPOINT_OPEN', link: `link#${prog}`, prog, tracepoint };
}

export const bpfRawTracepointOpenCall: ClientCall<BpfRawTracepointOpen> = {
  sentence:
    'Attaches a program to a raw tracepoint; without one, a tracing program to the function that it was loaded for.',
  examples: [
    { do: 'BPF_RAW_TRACEPOINT_OPEN', link: 'link#1', prog: 1 },
    { do: 'BPF_RAW_TRACEPOINT_OPEN', link: 'link#1', prog: 1, tracepoint: 'tp1' },
  ],
  service: { by: 'routine', routines: [bpfRawTpLinkAttach, bpfLinkCreate], request },
  role: 'attaches',
  isMisuse: (k, { link }) => k.bpf.links[link] !== undefined,
  promised: (p, action) =>
    action.tracepoint === undefined
      ? linked(p, action.link, action.prog, [], ZERO)
      : hooked(p, action, action.tracepoint),
  touched: (p, k, { link, prog }) => ofLink(p, k, link, prog, []),
  detach: ({ link }) => ({ do: 'close(link)', link }),
  print: ({ do: name, link, prog, tracepoint }) =>
    `${link} = ${called(name, `prog#${prog}`, ...(tracepoint === undefined ? [] : [tracepoint]))}`,
  parse({ name, result, args: [prog = '', tracepoint] }) {
    if (name !== 'BPF_RAW_TRACEPOINT_OPEN') return undefined;
    const action = { do: name, link: result, prog: numberOf(prog, 'prog') } as const;
    return tracepoint === undefined ? action : { ...action, tracepoint };
  },
};

/** A program for tracing is linked to its target; another one names its tracepoint. */
function request(action: BpfRawTracepointOpen): ClientRequest {
  if (action.tracepoint !== undefined) return { routine: bpfRawTpLinkAttach.name, args: argsOf(action) };
  // bpf_tracing_prog_attach() with no target program and no BTF id: the same function as BPF_LINK_CREATE calls.
  return { routine: bpfLinkCreate.name, args: { ...argsOf(action), targets: [], opens: true } };
}

/**
 * A program that was never loaded is promised nothing. The priority is TRACEPOINT_DEFAULT_PRIO:
 * bpf_probe_register() has no other, so that raw tracepoint programs run in the order of their links.
 */
function hooked(p: Promises, { link, prog }: BpfRawTracepointOpen, tracepoint: string): Promises {
  const program = p.programs[prog]?.program;
  if (program === undefined) return p;
  const probe = { tracepoint, who: `prog#${prog}`, object: link, prio: DEFAULT_PRIO, program };
  return { ...p, probes: [...p.probes, probe] };
}

import { ofLink } from '../contract/footprint.ts';
import { linked } from '../contract/linked.ts';
import type { FunctionName, LinkId, ProgId } from '../core/ids.ts';
import { bpfLinkCreate } from '../trampoline/syscall.ts';
import type { ClientCall } from './client-call.ts';
import { argsOf, servedBy } from './client-call.ts';
import { braces, called, inBraces, numberOf } from './spelling.ts';

/*
 * link_create() in kernel/bpf/syscall.c. The reference on the program is taken first (EBADF), then the attach
 * type is checked against the program (EINVAL), and then the type of the program chooses the attach function:
 *
 * ```text
 *   fentry, fexit, fmod_ret, freplace   bpf_tracing_prog_attach()       one target, from load time
 *   kprobe.multi (5.18 and later)       bpf_kprobe_multi_link_attach()  one fprobe, in bulk
 *   multi (7.2)                         bpf_trampoline_multi_attach()   a design of this model
 * ```
 *
 * The names of several targets go to the kernel as addresses or BTF ids. A kprobe.multi link takes a function
 * twice by its address: nothing in its path compares them. By symbols (the fourth example) it is ESRCH:
 * ftrace_lookup_symbols() counts a symbol that it finds once. A multi link refuses it with EINVAL.
 */

/**
 * A program is linked to its target, or to all of these. `targets` is empty for a program that was loaded for
 * one function: its target is in `prog->aux`, and the call names none.
 */
export interface BpfLinkCreate {
  readonly do: 'BPF_LINK_CREATE';
  readonly link: LinkId;
  readonly prog: ProgId;
  readonly targets: readonly FunctionName[];
  /** A kprobe.multi link names them by symbols, and not by addresses. */
  readonly symbols?: true;
}

export const bpfLinkCreateCall: ClientCall<BpfLinkCreate> = {
  sentence: 'Links a program to the function that it was loaded for, or to all of these.',
  examples: [
    { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: [] },
    { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'f2'] },
    { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'f1'] },
    { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'f2'], symbols: true },
  ],
  service: servedBy(bpfLinkCreate, argsOf),
  role: 'attaches',
  // A file descriptor is the kernel's to choose: no system call answers with one that is open. Symbols are an attribute of
  // kprobe.multi links alone.
  isMisuse: (k, { link, prog, symbols }) =>
    k.bpf.links[link] !== undefined || (symbols === true && k.bpf.progs[prog]?.probe === ''),
  promised: (p, { link, prog, targets }) => linked(p, link, prog, targets),
  touched: (p, k, { link, prog, targets }) => ofLink(p, k, link, prog, targets),
  // Only of kprobe.multi links, and only where fprobes are on function graph; each fprobe on rethook has its
  // own ops.
  sharesOps: 'of fprobes',
  detach: ({ link }) => ({ do: 'close(link)', link }),
  print: ({ do: name, link, prog, targets, symbols = false }) => {
    const named = [...(targets.length > 0 ? [braces(targets)] : []), ...(symbols ? ['symbols'] : [])];
    return `${link} = ${called(name, `prog#${prog}`, ...named)}`;
  },
  parse({ name, result, args: [prog = '', targets, symbols] }) {
    if (name !== 'BPF_LINK_CREATE' || targets?.startsWith('perf#')) return undefined;
    const ips = targets === undefined ? [] : inBraces(targets);
    const action = { do: name, link: result, prog: numberOf(prog, 'prog'), targets: ips } as const;
    return symbols === 'symbols' ? { ...action, symbols: true } : action;
  },
};

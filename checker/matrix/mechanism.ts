import type { Action } from '../../model/client/all.ts';
import { filterOn } from '../../model/client/ftrace-set-filter-ip.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { LIVE_PATCH_FLAGS } from '../../model/ftrace/ops.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';
import { plainProgram, probeProgram } from '../../model/trampoline/program.ts';
import type { BpfProg } from '../../model/trampoline/world.ts';
import { ZERO } from '../../model/x86/word.ts';

/**
 * A client that attaches: to which function, in which kernel, and its number from 1: its objects have that number.
 */
export interface Attaching {
  readonly fn: string;
  readonly profile: string;
  readonly n: number;
}

/** One way to attach something to a function. */
export interface Mechanism {
  readonly name: string;
  /** Three characters for the head of a column. */
  readonly column: string;
  /** It shares a function with every other mechanism: the table of all does not show it. */
  readonly inPairsOnly?: true;
  /** The call that attaches, in the kernel's words. */
  readonly by: string;
  /** The calls of a client that attaches; the last of them answers whether it is attached. */
  readonly attach: (attaching: Attaching) => readonly Action[];
  /** Its next calls, attached or not. */
  readonly behind?: (attaching: Attaching) => readonly Action[];
  readonly detach: (attaching: Attaching) => Action;
}

/** Everything that can be attached to a function, in the order of the table. */
export const MECHANISMS: readonly Mechanism[] = [
  {
    name: 'direct(ip)',
    column: 'dip',
    by: 'register_ftrace_direct(ip, addr)',
    attach: ({ fn, n }) => [{ do: 'register_ftrace_direct(ip)', ip: fn, addr: tramp(n) }],
    detach: ({ fn, n }) => ({ do: 'unregister_ftrace_direct(ip)', ip: fn, addr: tramp(n) }),
  },
  {
    name: 'direct',
    column: 'dir',
    by: 'register_ftrace_direct(ops, addr)',
    attach: ({ fn, n }) => [
      filterOn(`direct#${n}`, fn),
      { do: 'register_ftrace_direct', ops: `direct#${n}`, addr: tramp(n) },
    ],
    detach: ({ profile, n }) => ({
      do: 'unregister_ftrace_direct',
      ops: `direct#${n}`,
      addr: tramp(n),
      freeFilters: profileNamed(profile).directApi !== 'ip and multi',
    }),
  },
  {
    name: 'direct-hash',
    column: 'dha',
    by: 'update_ftrace_direct_add',
    attach: ({ fn, n }) => [{ do: 'update_ftrace_direct_add', ops: `direct#${n}`, hash: { [fn]: tramp(n) } }],
    detach: ({ fn, n }) => ({
      do: 'update_ftrace_direct_del',
      ops: `direct#${n}`,
      hash: { [fn]: tramp(n) },
    }),
  },
  ftraceOps('ops', 'ops', 'register_ftrace_function', 0),
  ftraceOps('livepatch', 'liv', 'register_ftrace_function, IPMODIFY', LIVE_PATCH_FLAGS),
  program('fentry', 'fen', 'fentry'),
  program('fexit', 'fex', 'fexit'),
  program('fmod_ret', 'fmr', 'fmod_ret'),
  multiProgram('fentry.multi', 'fnm', 'fentry'),
  multiProgram('fexit.multi', 'fxm', 'fexit'),
  multiProgram('fmod_ret.multi', 'frm', 'fmod_ret'),
  {
    name: 'graph',
    column: 'gra',
    by: 'register_ftrace_graph',
    attach: ({ fn, profile, n }) => [
      profileNamed(profile).fgraph === 'single'
        ? { do: 'set_ftrace_filter', glob: fn, remove: false }
        : filterOn(`gops#${n}.ops`, fn),
      { do: 'register_ftrace_graph', gops: `gops#${n}` },
    ],
    detach: ({ n }) => ({ do: 'unregister_ftrace_graph', gops: `gops#${n}` }),
  },
  kprobe('kprobe', 'kpr', false),
  kprobe('kprobe.post', 'kpp', true),
  // At this offset an instruction begins with `endbr64` and without.
  { ...kprobe('kprobe.body', 'kpb', false, 10), inPairsOnly: true },
  {
    name: 'kretprobe',
    column: 'krp',
    by: 'register_kretprobe',
    attach: ({ fn, n }) => [
      { do: 'register_kretprobe', kretprobe: `kretprobe#${n}`, ip: fn, maxactive: 16, entryHandler: true },
    ],
    detach: ({ n }) => ({ do: 'unregister_kretprobe', kretprobe: `kretprobe#${n}` }),
  },
  {
    name: 'fprobe',
    column: 'fpr',
    by: 'register_fprobe_ips',
    attach: ({ fn, n }) => [
      { do: 'register_fprobe_ips', fprobe: `fprobe#${n}`, ips: [fn], entry: true, exit: true },
    ],
    detach: ({ n }) => ({ do: 'unregister_fprobe', fprobe: `fprobe#${n}` }),
  },
  programOnProbe('kprobe.multi', 'kpm', 'entry'),
  programOnProbe('kretprobe.multi', 'krm', 'return'),
];

/** The client's own trampoline of that number. */
function tramp(n: number): string {
  return `my_tramp${n}`;
}

function ftraceOps(name: string, column: string, by: string, flags: number): Mechanism {
  return {
    name,
    column,
    by,
    attach: ({ fn, n }) => [
      { do: 'ftrace_ops', ops: `ops#${n}`, flags, direct: false },
      filterOn(`ops#${n}`, fn),
      { do: 'register_ftrace_function', ops: `ops#${n}` },
    ],
    detach: ({ n }) => ({ do: 'unregister_ftrace_function', ops: `ops#${n}` }),
  };
}

function kprobe(name: string, column: string, post: boolean, offset = 0): Mechanism {
  return {
    name,
    column,
    by: `register_kprobe${post ? ', post_handler' : ''}${offset > 0 ? ', in the body' : ''}`,
    attach: ({ fn, n }) => [
      { do: 'register_kprobe', kprobe: `kprobe#${n}`, ip: fn, post, ...(offset > 0 ? { offset } : {}) },
    ],
    detach: ({ n }) => ({ do: 'unregister_kprobe', kprobe: `kprobe#${n}` }),
  };
}

/** A program with a link of its own. */
function program(name: string, column: string, kind: TracingKind): Mechanism {
  return linked(name, column, 'BPF_LINK_CREATE', ({ fn, n }) => [
    { do: 'BPF_PROG_LOAD', program: { ...plainProgram(n), kind }, target: fn, probe: '', returns: ZERO },
    { do: 'BPF_LINK_CREATE', link: `link#${n}`, prog: n, targets: [] },
  ]);
}

/** A program with a link to many functions, here to one. */
function multiProgram(name: string, column: string, kind: TracingKind): Mechanism {
  return linked(name, column, 'BPF_LINK_CREATE to many functions', ({ fn, n }) => [
    {
      do: 'BPF_PROG_LOAD',
      program: { ...plainProgram(n), kind, multi: true },
      target: '',
      probe: '',
      returns: ZERO,
    },
    { do: 'BPF_LINK_CREATE', link: `link#${n}`, prog: n, targets: [fn] },
  ]);
}

function programOnProbe(name: string, column: string, probe: BpfProg['probe']): Mechanism {
  return linked(name, column, `BPF_LINK_CREATE, kprobe.multi ${probe}`, ({ fn, n }) => [
    { do: 'BPF_PROG_LOAD', program: probeProgram(n), target: '', probe, returns: ZERO },
    { do: 'BPF_LINK_CREATE', link: `link#${n}`, prog: n, targets: [fn] },
  ]);
}

/** The link holds its program: the client closes its descriptor. */
function linked(name: string, column: string, by: string, attach: Mechanism['attach']): Mechanism {
  return {
    name,
    column,
    by,
    attach,
    behind: ({ n }) => [{ do: 'close(prog)', prog: n }],
    detach: ({ n }) => ({ do: 'close(link)', link: `link#${n}` }),
  };
}

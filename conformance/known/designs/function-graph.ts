import type { WordedBreach } from '../../../checker/sequences/run-sequence.ts';
import type { KernelView } from '../../../model/kernel.ts';
import type { KnownAttach } from '../attach.ts';

const DESIGN = { kernels: ['6.12', '7.2'], multiLinks: 'function graph' } as const;

/** What breaks a law with multi links that are users of function graph. */
export const KNOWN_OF_FUNCTION_GRAPH: readonly KnownAttach[] = [
  {
    ...DESIGN,
    name: 'graph-runs-entry-programs-among-handlers',
    sentence:
      "The entry program of a link runs where graph_ops stands on ftrace's list: in front of handlers that came before it, which a direct call comes after.",
    evidence:
      'kernel/trace/ftrace.c  add_ftrace_ops, __ftrace_ops_list_func: the newest ops first; the direct call is made when the list is done (ftrace_regs_caller)',
    law: 'ftrace/stages-of-a-call-keep-their-order',
    shows:
      /^at a call of \w+, \S+ \((ftrace|graph entry|kprobe|kprobe post|kretprobe entry|fprobe entry|kprobe\.multi)\) comes before (prog#\d+) \(entry\) \/ \2 \(entry\) comes first$/,
    when: ({ finding, moment: { after } }) =>
      isMulti(after, / (prog#\d+) \(entry\) comes first$/, finding.observed),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); register_kprobe(kprobe#1, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); task#1 calls f1(0x5100000071000000)',
  },
  {
    ...DESIGN,
    name: 'graph-runs-exit-programs-among-return-hooks',
    sentence:
      'The exit program of a link runs when return_to_handler does: behind a return hook that was set later, which everybody sees the return of before an image is left.',
    evidence:
      'kernel/trace/rethook.c  rethook_trampoline_handler; kernel/trace/fgraph.c  ftrace_return_to_handler: each hook finds the address that the one before it has written',
    law: 'ftrace/stages-of-a-call-keep-their-order',
    shows:
      /^at a call of \w+, (prog#\d+) \(exit\) comes before (\S+) \((graph exit|kretprobe|fprobe exit|kprobe\.multi return)\) \/ \2 \(\3\) comes first$/,
    when: ({ finding, moment: { after } }) => isMulti(after, /, (prog#\d+) \(exit\)/, finding.expected),
    example:
      'register_kretprobe(kretprobe#1, f1, maxactive=0); prog#1 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); task#1 calls f1(0x5100000071000000)',
  },
  {
    ...DESIGN,
    name: 'graph-runs-links-by-index',
    sentence:
      'Two links on one function are called in the order of their indices in fgraph_array, at the entry and at the return: the older one first, as long as no index has been given back.',
    evidence:
      'kernel/trace/fgraph.c  function_graph_enter_regs, ftrace_return_to_handler: for_each_set_bit() over the indices',
    law: 'ftrace/newer-clients-run-first',
    shows:
      /^(prog#\d+), newer than (prog#\d+), sees a call of \w+ before it \/ \2 \(program\) sees it first$/,
    when: (breach) => {
      const [newer, older] = pair(breach);
      const index = (prog: number) => indexOf(breach.moment.after, prog);
      return index(newer) >= 0 && index(older) >= 0 && index(older) < index(newer);
    },
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2, { f1 }); task#1 calls f1(0x5100000071000000)',
  },
  {
    ...DESIGN,
    name: 'graph-encloses-the-trampoline',
    sentence:
      'The program of a link runs before all entry programs of the function, and after all of its exit programs, whichever is newer.',
    evidence:
      'arch/x86/kernel/ftrace_64.S  ftrace_regs_caller: the image is gone to from the list, with the return address that function graph has written',
    law: 'ftrace/newer-clients-run-first',
    shows:
      /^(prog#\d+), newer than (prog#\d+), sees a call of \w+ before it \/ \2 \(program\) sees it first$/,
    when: (breach) => {
      const [newer, older] = pair(breach);
      const { progs } = breach.moment.after.bpf;
      const first = progs[older]!.program;
      if (first.multi === progs[newer]!.program.multi) return false;
      return first.kind !== (first.multi ? 'fexit' : 'fentry');
    },
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2); task#1 calls f1(0x5100000071000000)',
  },
];

function isMulti({ bpf }: KernelView, pattern: RegExp, text: string): boolean {
  const number = /prog#(\d+)/.exec(pattern.exec(` ${text}`)?.[1] ?? '')?.[1];
  return bpf.progs[Number(number)]?.program.multi === true;
}

/** The numbers of the newer and of the older program. */
function pair({ finding: { expected } }: WordedBreach): [number, number] {
  const [newer = 0, older = 0] = [...expected.matchAll(/prog#(\d+)/g)].map(([, number]) => Number(number));
  return [newer, older];
}

/** The index of a program's link; −1: it is on no user of function graph. */
function indexOf({ bpf, fgraph }: KernelView, prog: number): number {
  const link = Object.keys(bpf.links).find((name) => bpf.links[name]!.prog === prog);
  return fgraph.gops[`${link}.gops`]?.idx ?? -1;
}

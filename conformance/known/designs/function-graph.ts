import type { FunctionName, ProgId } from '../../../model/core/ids.ts';
import { entry } from '../../../model/core/present.ts';
import type { KernelView } from '../../../model/kernel.ts';
import type { AttachFindingOf } from '../../../properties/finding/attach-finding.ts';
import type { KnownAttach } from '../attach.ts';
import { known } from '../attach.ts';
import { isProgram, programNumber } from '../cause.ts';
import { asLinksShow } from './of-kernel.ts';

const DESIGN = { kernels: ['6.12', '7.2'], multiLinks: 'function graph' } as const;

const LOAD = 'prog#1 = BPF_PROG_LOAD(fentry multi)';
const LINK = 'link#1 = BPF_LINK_CREATE(prog#1, { f1 })';
const FILTER = 'ftrace_set_filter_ip(gops#1.ops, f1)';
const NO_MEMORY = 'the next allocation in ftrace_startup_subops fails';
const RETURN_OF_A_LINK =
  'ftrace_set_filter_ip(gops#1.ops, f1); prog#1 = BPF_PROG_LOAD(fexit multi); register_ftrace_graph(gops#1); link#1 = BPF_LINK_CREATE(prog#1, { f2 }); task#1 calls f2(0x5100000071000000)';

/** Breaches with multi links that are users of function graph. */
export const KNOWN_OF_FUNCTION_GRAPH: readonly KnownAttach[] = [
  asLinksShow('direct-mode-stays-for-a-refused-user', DESIGN, {
    name: 'direct-mode-stays-for-a-refused-link',
    example: `${LOAD}; the next allocation in register_ftrace_graph (many users) fails; ${LINK}`,
  }),
  asLinksShow('refused-graph-user-leaves-its-probe', DESIGN, {
    name: 'refused-graph-link-leaves-its-probe',
    example: `${LOAD}; ${NO_MEMORY}; ${LINK}`,
  }),
  asLinksShow('graph-exit-without-entry', DESIGN, {
    name: 'graph-exit-of-a-link-without-entry',
    example: RETURN_OF_A_LINK,
  }),
  asLinksShow('return-of-a-call-that-index-0-did-not-follow', DESIGN, {
    name: 'return-of-a-link-that-index-0-did-not-follow',
    example: RETURN_OF_A_LINK,
  }),
  asLinksShow('direct-mode-ends-for-a-refused-user', DESIGN, {
    name: 'direct-mode-ends-for-a-refused-link',
    example: `${LOAD}; ${FILTER}; register_ftrace_graph(gops#1); ${NO_MEMORY}; ${LINK}`,
  }),
  asLinksShow('only-user-is-not-called-directly-after-a-refusal', DESIGN, {
    name: 'only-link-is-not-called-directly-after-a-refusal',
    example: `${LOAD}; ${FILTER}; register_ftrace_graph(gops#1); ${NO_MEMORY}; ${LINK}`,
  }),
  asLinksShow('manager-traces-what-no-user-wants', DESIGN, {
    name: 'manager-traces-what-no-link-wants',
    example: `ftrace_set_notrace(gops#1.ops, f2); ${LOAD}; register_ftrace_graph(gops#1); ${LINK}`,
  }),
  asLinksShow('manager-traces-what-no-user-wants-seen-by-only-requested-functions-are-traced', DESIGN, {
    name: 'manager-traces-what-no-link-wants-seen-by-only-requested-functions-are-traced',
    example: `ftrace_set_notrace(gops#1.ops, f2); ${LOAD}; register_ftrace_graph(gops#1); ${LINK}`,
  }),
  asLinksShow('subops-stays-with-its-manager', DESIGN, {
    name: 'subops-of-a-link-stays-with-its-manager',
    example: `${LOAD}; ${LINK}; ftrace_set_filter_ip(gops#1.ops, f2); register_ftrace_graph(gops#1); the next allocation in __ftrace_hash_move_and_update_ops fails; close(link#1)`,
  }),
  asLinksShow('regs-are-kept-when-a-function-leaves-a-filter', DESIGN, {
    name: 'regs-are-kept-beside-a-link',
    example: `${LOAD}; ${LINK}; register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); unregister_kprobe(kprobe#1)`,
  }),
  asLinksShow('slow-path-is-kept-with-regs', DESIGN, {
    name: 'slow-path-is-kept-beside-a-link',
    example: `${LOAD}; ops#1 = ftrace_ops(); register_ftrace_function(ops#1); ${LINK}; register_kprobe(kprobe#1, f1); register_kprobe(kprobe#2, f2); unregister_kprobe(kprobe#1)`,
  }),
  known({
    ...DESIGN,
    name: 'graph-runs-entry-programs-among-handlers',
    sentence:
      "A link's entry program runs at the position of graph_ops on ftrace's list: before older handlers, which run before a direct call.",
    evidence:
      'kernel/trace/ftrace.c  add_ftrace_ops, __ftrace_ops_list_func: the newest ops first; the direct call is made when the list is done (ftrace_regs_caller)',
    law: 'ftrace/callbacks-run-in-stage-order',
    finding: 'stages-change-places',
    when: ({ first, second }, { moment: { after } }) =>
      HANDLERS.includes(first.as) && second.as === 'entry' && isMulti(after, second.who),
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); register_kprobe(kprobe#1, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    ...DESIGN,
    name: 'graph-runs-exit-programs-among-return-hooks',
    sentence:
      "A link's exit program runs in return_to_handler: after a newer return hook, all of which run after an image's exit programs.",
    evidence:
      'kernel/trace/rethook.c  rethook_trampoline_handler; kernel/trace/fgraph.c  ftrace_return_to_handler: each hook finds the address that the one before it has written',
    law: 'ftrace/callbacks-run-in-stage-order',
    finding: 'stages-change-places',
    when: ({ first, second }, { moment: { after } }) =>
      first.as === 'exit' && isMulti(after, first.who) && RETURN_HOOKS.includes(second.as),
    example:
      'register_kretprobe(kretprobe#1, f1, maxactive=0); prog#1 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    ...DESIGN,
    name: 'graph-runs-links-by-index',
    sentence:
      'Two links on one function run in the order of their indices in fgraph_array, on entry and on return: the older one first, as long as no index has been freed.',
    evidence:
      'kernel/trace/fgraph.c  function_graph_enter_regs, ftrace_return_to_handler: for_each_set_bit() over the indices',
    law: 'ftrace/newer-clients-run-first',
    finding: 'older-client-runs-first',
    when: ({ newer, older, fn }, { moment: { after } }) => {
      const index = (who: string) => (isProgram(who) ? indexOf(after, programNumber(who), fn) : -1);
      return index(newer) >= 0 && index(older) >= 0 && index(older) < index(newer);
    },
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2, { f1 }); task#1 calls f1(0x5100000071000000)',
  }),
  known({
    ...DESIGN,
    name: 'graph-program-encloses-the-image',
    sentence:
      "A link's program runs before all entry programs of the function and after all of its exit programs, whichever is newer.",
    evidence:
      'arch/x86/kernel/ftrace_64.S  ftrace_regs_caller: the image is gone to from the list, with the return address that function graph has written',
    law: 'ftrace/newer-clients-run-first',
    finding: 'older-client-runs-first',
    when: ({ newer, older }, { moment: { after } }) => {
      const { progs } = after.bpf;
      const first = progs[programNumber(older)]?.program;
      const second = progs[programNumber(newer)]?.program;
      if (first === undefined || second === undefined || first.multi === second.multi) return false;
      return first.kind !== (first.multi ? 'fexit' : 'fentry');
    },
    example:
      'prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2); task#1 calls f1(0x5100000071000000)',
  }),
];

type As = AttachFindingOf<'stages-change-places'>['first']['as'];

const HANDLERS: readonly As[] = [
  'ftrace',
  'graph entry',
  'kprobe',
  'kprobe post',
  'kretprobe entry',
  'fprobe entry',
  'kprobe.multi',
];
const RETURN_HOOKS: readonly As[] = ['graph exit', 'kretprobe', 'fprobe exit', 'kprobe.multi return'];

function isMulti({ bpf }: KernelView, who: string): boolean {
  return bpf.progs[programNumber(who)]?.program.multi === true;
}

/** The index of a program's link; −1: it is on no user of function graph. */
function indexOf({ bpf, fgraph }: KernelView, prog: ProgId, fn: FunctionName): number {
  const link = Object.keys(bpf.links).find((name) => {
    const { kind, ...own } = entry(bpf.links, name);
    return own.prog === prog && kind === 'tracing multi' && own.targets.includes(fn);
  });
  return fgraph.gops[`${link}.gops`]?.idx ?? -1;
}

import type { KnownAttach } from '../attach.ts';
import { OF_GLOBAL } from './global-calls.ts';
import { asLinksShow } from './of-kernel.ts';

const TWO_LINKS =
  'prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#1, { f2 })';

/** A function leaves the filter of the global trampoline's ops, which keeps others, and its record keeps REGS. */
export const KNOWN_GLOBAL_REGS: readonly KnownAttach[] = [
  asLinksShow('regs-are-kept-when-a-function-leaves-a-filter', OF_GLOBAL, {
    name: 'global-regs-are-kept-when-a-link-goes',
    example: `${TWO_LINKS}; register_ftrace_graph(gops#1); close(link#1)`,
  }),
  asLinksShow('slow-path-is-kept-with-regs', OF_GLOBAL, {
    name: 'global-slow-path-is-kept-when-a-link-goes',
    example: `${TWO_LINKS}; ops#1 = ftrace_ops(); ops#2 = ftrace_ops(); register_ftrace_function(ops#1); register_ftrace_function(ops#2); close(link#1)`,
  }),
];

import type { AttachLaw } from '../law/sequence-law.ts';

/** The second half of I-34; traced-calls-return has the calls. */
export const operationsNeitherOopsNorHang: AttachLaw = {
  name: 'ftrace/operations-neither-oops-nor-hang',
  sentence: 'No client operation makes the kernel follow a NULL pointer or wait forever.',
  source: 'kernel/trace/ftrace.c; kernel/bpf/trampoline.c  bpf_tramp_ftrace_ops_func; kernel/kprobes.c',
  witness: 'an operation while ftrace is alive',
  judge: ({ action, before, outcome }) => {
    if (action.do === 'call') return 'not applicable';
    if (outcome.died !== undefined) return { is: 'operation-dies', action: action.do, died: outcome.died };
    return before.ftrace.disabled ? 'not applicable' : 'held';
  },
};

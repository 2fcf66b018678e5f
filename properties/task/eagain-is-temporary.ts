import type { TaskLaw } from '../law/interleaving-law.ts';

/** I-31. Fairness as in `everything-terminates`. */
export const eagainIsTemporary: TaskLaw = {
  name: 'task/eagain-is-temporary',
  sentence: 'A client that retries on EAGAIN gets another answer once all other operations have finished.',
  source:
    'kernel/bpf/trampoline.c bpf_tramp_ftrace_ops_func, bpf_trampoline_update; kernel/livepatch/patch.c',
  witness: 'all states explored, with a client that retries',
  isOfEnds: true,
  isLiveness: true,
  judge: ({ happening, scenario }) => {
    if (scenario.retries !== true) return 'not applicable';
    if (happening.is === 'end') return 'held';
    if (happening.is !== 'trapped' || happening.cycle.length === 0) return 'not applicable';
    const { unfinished, cycle } = happening;
    return { is: 'goes-round', unfinished, moves: cycle.length };
  },
};

import type { TaskLaw } from '../law/interleaving-law.ts';

/** I-30, C6. A trylock waits for no lock. */
export const noDeadlock: TaskLaw = {
  name: 'task/no-deadlock',
  sentence: 'No cycle exists among lock holders, grace periods and reference counts.',
  source:
    'kernel/trace/ftrace.c direct_mutex, ftrace_lock; kernel/bpf/trampoline.c bpf_tramp_ftrace_ops_func',
  witness: 'two clients at work',
  isOfEnds: true,
  judge: ({ happening, scenario }) => {
    if (happening.is === 'end') return scenario.clients.length > 1 ? 'held' : 'not applicable';
    if (happening.is !== 'stuck') return 'not applicable';
    return { is: 'all-wait', waits: happening.waits };
  },
};

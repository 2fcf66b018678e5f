import type { TaskLaw } from '../law/interleaving-law.ts';

/**
 * I-32, I-44, I-45. Strong fairness: a move that is enabled infinitely often is taken, so that a lock holder resumes,
 * a task gets a CPU and wakes up, and a grace period ends when no task blocks it.
 */
export const everythingTerminates: TaskLaw = {
  name: 'task/everything-terminates',
  sentence: 'Under a fair schedule every operation, every grace period and every call terminates.',
  source:
    'kernel/rcu/tasks.h; kernel/bpf/trampoline.c __bpf_tramp_image_put_rcu_tasks; kernel/trace/ftrace.c',
  witness: 'all states explored',
  isOfEnds: true,
  isLiveness: true,
  judge: ({ happening }) => {
    if (happening.is === 'end') return 'held';
    if (happening.is !== 'trapped' || happening.cycle.length > 0) return 'not applicable';
    const { unfinished, waits } = happening;
    return { is: 'cannot-finish', unfinished, waits };
  },
};

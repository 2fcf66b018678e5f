import type { TaskLaw } from '../law/interleaving-law.ts';

/** C10, first half. */
export const noRecursionOnOneCpu: TaskLaw = {
  name: 'task/no-recursion-on-one-cpu',
  sentence: 'A program never runs recursively on one CPU; a recursive entry is skipped.',
  source: 'kernel/bpf/trampoline.c __bpf_prog_enter_recur, __bpf_prog_enter_sleepable_recur',
  witness: 'a run of a program',
  judge: ({ happening }) => {
    if (happening.is !== 'runs program') return 'not applicable';
    const { prog, bodies } = happening;
    if (bodies < 2) return 'held';
    return { is: 'program-runs-in-itself', prog, bodies };
  },
};

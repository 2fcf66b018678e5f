import type { TaskLaw } from '../law/interleaving-law.ts';

/** C10, second half. */
export const programActiveCountsReturnToZero: TaskLaw = {
  name: 'task/program-active-counts-return-to-zero',
  sentence: "When no call is in progress, every program's active count is zero on every CPU.",
  source: 'kernel/bpf/trampoline.c __bpf_prog_exit_recur, __bpf_prog_exit_sleepable_recur',
  witness: 'a program attached',
  isOfEnds: true,
  judge: ({ happening, running }) => {
    if (happening.is !== 'end') return 'not applicable';
    const left = running.flatMap((active, cpu) => Object.keys(active).map((prog) => ({ prog, cpu: cpu })));
    if (left.length > 0) return { is: 'programs-are-not-left', left };
    return happening.done.some(({ action }) => action.do.startsWith('BPF_') || action.do === 'close(link)')
      ? 'held'
      : 'not applicable';
  },
};

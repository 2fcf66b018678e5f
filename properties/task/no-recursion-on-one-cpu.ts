import type { EventKind } from '../../model/core/event.ts';
import type { Happening, TaskJudgement, TaskLaw } from '../law/interleaving-law.ts';

/** C10, first half. */
export const noRecursionOnOneCpu: TaskLaw = {
  name: 'task/no-recursion-on-one-cpu',
  sentence:
    'Neither a tracing program nor the handler of a kprobe runs recursively on one CPU; a recursive entry is skipped.',
  source:
    'kernel/bpf/trampoline.c __bpf_prog_enter_recur, __bpf_prog_enter_sleepable_recur; kernel/trace/bpf_trace.c kprobe_multi_link_prog_run; arch/x86/kernel/kprobes/ftrace.c kprobe_ftrace_handler',
  witness: 'a run of a program, or an interrupt in a handler',
  judge: ({ happening, kernel }) => {
    if (happening.is === 'call over') return judgeInterrupt(happening);
    if (happening.is !== 'runs program') return 'not applicable';
    const { prog, bodies } = happening;
    // __bpf_prog_enter() does not count: a program of BPF LSM may recur.
    if (kernel.bpf.progs[prog]?.program.lsm === true) return 'not applicable';
    if (bodies < 2) return 'held';
    return { is: 'program-runs-in-itself', prog, bodies };
  },
};

/** The call of an interrupt in the handler of a kprobe, or in a kprobe.multi program, calls no other. */
function judgeInterrupt({ within, run }: Extract<Happening, { readonly is: 'call over' }>): TaskJudgement {
  if (within === undefined) return 'not applicable';
  const { kprobe, bpfProgActive } = within;
  const recursive = [...(kprobe ? KPROBES : []), ...(bpfProgActive > 0 ? PROGRAMS : [])];
  if (recursive.length === 0) return 'not applicable';
  const event = run.events.find(({ kind }) => recursive.includes(kind));
  if (event === undefined) return 'held';
  const { who, fn, kind } = event;
  return { is: 'handler-runs-in-a-handler', event: { who, fn, kind, atReturn: false } };
}

const KPROBES: readonly EventKind[] = ['kprobe', 'kprobe post', 'kretprobe entry', 'kretprobe'];
const PROGRAMS: readonly EventKind[] = ['kprobe.multi', 'kprobe.multi return'];

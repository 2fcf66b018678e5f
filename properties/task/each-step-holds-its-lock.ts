import { item } from '../../model/core/present.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';

/** Every step is judged on its way; that an operation is over is the witness, as all of its steps have held. */
export const eachStepHoldsItsLock: TaskLaw = {
  name: 'task/each-step-holds-its-lock',
  sentence:
    'A step of an operation or of background work that writes shared state holds its lock, whatever runs beside it.',
  source:
    'kernel/trace/ftrace.c ftrace_lock, direct_mutex; kernel/kprobes.c kprobe_mutex; kernel/bpf/trampoline.c trampoline_mutex',
  witness: 'an operation that has ended',
  judge: ({ happening }) => {
    if (happening.is === 'operation over') return 'held';
    return happening.is === 'unlocked' ? item(happening.unlocked, 0) : 'not applicable';
  },
};

import { hasReturned } from '../../model/call/call-frame.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import { callOf } from '../observed/call-of.ts';
import { owedCalls } from '../observed/owed-calls.ts';

/** I-45, third part. */
export const returnValueIsOldOrNew: TaskLaw = {
  name: 'task/return-value-is-old-or-new',
  sentence: 'A call that overlaps operations returns what it would return before or after one of them.',
  source:
    'kernel/trace/ftrace.c ftrace_ops_list_func; arch/x86/net/bpf_jit_comp.c __arch_prepare_bpf_trampoline',
  witness: 'a call that overlaps an operation',
  judge: ({ scenario, kernel, happening }) => {
    if (happening.is !== 'call over' || !hasReturned(happening.run)) return 'not applicable';
    if (kernel.ftrace.disabled) return 'not applicable';
    const { run, during } = happening;
    const { fn } = callOf(scenario, happening);
    if (isTracepoint(kernel, fn)) return 'not applicable';
    const allowed = owedCalls(scenario, kernel, happening).calls.map(({ returns }) => returns);
    const values = allowed.filter((value) => value !== undefined);
    if (values.length === allowed.length && !values.includes(run.rax))
      return { is: 'value-differs', fn, allowed: [...new Set(values)], returned: run.rax };
    return during.length > 0 ? 'held' : 'not applicable';
  },
};

import { hasReturned } from '../../model/call/call-frame.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';
import { callOf } from '../observed/call-of.ts';
import { possibleCalls } from '../observed/expectation.ts';
import { missedIn } from '../observed/misses.ts';
import { perScenario } from '../observed/per-scenario.ts';
import { orMissed, possibleWorlds } from '../observed/possible-worlds.ts';

const OWED = perScenario<readonly (string | undefined)[]>();

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
    const { run, before, during } = happening;
    const call = callOf(scenario, happening);
    if (isTracepoint(kernel, call.fn)) return 'not applicable';
    const found = possibleWorlds(scenario, before, during);
    const missed = missedIn(happening, found);
    const allowed = OWED(scenario, [call, before, during, ...missed], () =>
      possibleCalls(kernel, orMissed(found, missed), call).map(({ returns }) => returns),
    );
    const values = allowed.filter((value) => value !== undefined);
    if (values.length === allowed.length && !values.includes(run.rax))
      return { is: 'value-differs', fn: call.fn, allowed: [...new Set(values)], returned: run.rax };
    return during.length > 0 ? 'held' : 'not applicable';
  },
};

import type { AttachLaw } from '../law/sequence-law.ts';
import { seenCall } from '../observed/seen-call.ts';

/** F13: the one thing that a successful attach does not promise. */
export const noCallbacksWhileTracingIsOff: AttachLaw = {
  name: 'ftrace/no-callbacks-while-tracing-is-off',
  sentence:
    "While kernel.ftrace_enabled is 0, a call of a kernel function runs no callback and returns the function's value.",
  source: 'kernel/trace/ftrace.c  ftrace_enable_sysctl; Documentation/trace/ftrace.rst',
  witness: 'a call of a traced function with kernel.ftrace_enabled = 0',
  lacks: ({ disabledBySysctl }) => (disabledBySysctl ? undefined : 'ftrace cannot be disabled at run time'),
  judge: (moment) => {
    const { promises } = moment;
    const seen = seenCall(moment);
    if (seen === undefined || promises.tracing || promises.bpf.includes(seen.expected.fn))
      return 'not applicable';
    const other = seen.events.find(({ half }) => half !== 'body');
    if (other !== undefined)
      return { is: 'seen-while-tracing-is-off', fn: seen.expected.fn, who: other.event.who };
    return promises.clients.length > 0 ? 'held' : 'not applicable';
  },
};

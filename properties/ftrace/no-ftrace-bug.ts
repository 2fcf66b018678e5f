import type { AttachLaw } from '../law/sequence-law.ts';
import { mayHaveCaused } from '../observed/fault-effects.ts';

export const noFtraceBug: AttachLaw = {
  name: 'ftrace/no-ftrace-bug',
  sentence: 'No sequence of calls makes ftrace find unexpected text or records and disable itself.',
  source: 'kernel/trace/ftrace.c  ftrace_bug, FTRACE_WARN_ON',
  witness: 'ftrace alive before the call',
  judge: ({ before, after, outcome, faults }) => {
    if (before.ftrace.disabled || mayHaveCaused('ftraceDies', faults)) return 'not applicable';
    if (!after.ftrace.disabled) return 'held';
    return { is: 'ftrace-is-dead', warning: outcome.warnings.at(-1) ?? null };
  },
};

import type { CallRun } from '../../model/call/call-frame.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';

/** What a call has not given back to its caller as it was: a register, the stack pointer, the stack. */
export function whatCallerLost(run: CallRun): AttachFinding | undefined {
  if (run.calleeSaved.length > 0)
    return {
      expected: 'the callee-saved registers are as before',
      observed: `${run.calleeSaved.join(', ')} changed`,
    };
  if (!run.stackBalanced) return { expected: 'rsp is as before', observed: 'it is not' };
  if (!run.callerStackIntact)
    return { expected: "the caller's stack is as before", observed: 'it was written to' };
  return undefined;
}

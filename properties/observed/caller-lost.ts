import type { CallRun } from '../../model/call/call-frame.ts';
import type { CallerLost } from '../finding/call-finding.ts';

/** What a call did not preserve for its caller: a register, the stack pointer, the stack. */
export function whatCallerLost(run: CallRun): CallerLost | undefined {
  if (run.calleeSaved.length > 0) return { is: 'registers-changed', registers: run.calleeSaved };
  if (!run.stackBalanced) return { is: 'stack-pointer-differs' };
  return run.callerStackIntact ? undefined : { is: 'stack-was-written-to' };
}

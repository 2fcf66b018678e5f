import { errnosFor } from '../errno/all.ts';
import { askedIn } from '../errno/asked-in.ts';
import { allowedBy, errnosOf } from '../errno/contract.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { mayHaveWarned } from '../observed/fault-effects.ts';

/**
 * The kernel warns of a client that hands it an object in a state that its description forbids, and refuses the call: the
 * errno is judged by another law. It warns as well of what an injected failure has left; and ftrace warns when it dies,
 * and of what it refuses then, which has laws of its own. Any other WARN is a defect of the kernel.
 */
export const noWarningWithoutMisuse: AttachLaw = {
  name: 'ftrace/no-warning-without-misuse',
  sentence:
    'No client call, and no traced call, triggers a WARN, unless the call is refused because of what its client hands over, or a failure was injected.',
  source:
    'kernel/trace/ftrace.c, fgraph.c, fprobe.c; kernel/kprobes.c; kernel/bpf/trampoline.c; kernel/tracepoint.c  WARN_ON, WARN_ON_ONCE, WARN_ONCE',
  witness: 'a call while ftrace is alive',
  judge: (moment) => {
    const { action, outcome, before, after, faults } = moment;
    if (outcome.died !== undefined || before.ftrace.disabled || after.ftrace.disabled)
      return 'not applicable';
    if (outcome.warnings.length > 0 && isRefusedForMisuse(moment)) return 'not applicable';
    const [first, ...others] = outcome.warnings.filter((warning) => !mayHaveWarned(warning, faults));
    return first === undefined
      ? 'held'
      : { is: 'call-warns', action: action.do, warnings: [first, ...others] };
  },
};

/** The call has a reason to be refused, and is; after a failure on the way no one knows which reasons hold. */
export function isRefusedForMisuse(moment: Moment): boolean {
  const { errno } = moment.outcome;
  const errnos = errnosFor(moment.action);
  if (errno === 0 || errnos === undefined) return false;
  if (moment.faults.length > 0) return errnosOf(errnos).includes(errno);
  const { errnos: allowed, because } = allowedBy(errnos, askedIn(moment));
  return because !== undefined && allowed.includes(errno);
}

import type { Errno } from '../../model/core/errno.ts';
import { isMisuse } from '../../model/misuse.ts';
import { errnosFor } from '../errno/all.ts';
import { askedIn } from '../errno/asked-in.ts';
import type { CallErrnos } from '../errno/contract.ts';
import { allowedBy, errnosOf } from '../errno/contract.ts';
import type { AttachLaw, Judgement, Moment } from '../law/sequence-law.ts';

/*
 * What an errno says, from the description of each call and from what clients were promised: not from the order in which
 * a routine refuses. The tables of the calls are below `properties/errno/`. Where several things are wrong with a call, any of
 * their errnos is right, unless the description says which is checked first.
 */

export const refusalsHaveTheirErrno: AttachLaw = {
  name: 'ftrace/refusals-have-their-errno',
  sentence:
    'A call is refused if and only if its description has a reason, and with the errno of that reason; ENOMEM says that memory is short, ENODEV that ftrace is dead.',
  source:
    'Documentation/trace/ftrace-uses.rst, kprobes.rst, fprobe.rst; kernel/trace/ftrace.c  ftrace_startup, register_ftrace_direct, update_ftrace_direct_add; kernel/bpf/syscall.c  link_create',
  witness: 'a call that has a reason to be refused, or is refused',
  judge: (moment) => {
    const { action, outcome, before } = moment;
    const errnos = errnosFor(action);
    if (errnos === undefined || outcome.died !== undefined) return 'not applicable';
    if (outcome.errno === 'EBADF' && isMisuse(before, action)) return 'not applicable';
    if (lacksSomething(moment)) return outcome.errno === 'ENOMEM' ? 'held' : 'not applicable';
    const { errno } = outcome;
    if (errno === 'ENOMEM') return differs(moment, 'memory is not short', []);
    if (isDead(moment)) return ofDeadFtrace(moment, errnos);
    if (moment.faults.length > 0) return afterFailure(moment, errnos);
    return byItsReasons(moment, errnos);
  },
};

function byItsReasons(moment: Moment, errnos: CallErrnos<Moment['action']>): Judgement {
  const { errno } = moment.outcome;
  const { errnos: allowed, because } = allowedBy(errnos, askedIn(moment));
  if (errno === 0) {
    if (because === undefined) return 'not applicable';
    return differs(moment, because, allowed);
  }
  if (allowed.includes(errno)) return 'held';
  if (because === undefined && allowed.length === 0) return differs(moment, 'nothing is wrong', [0]);
  return differs(moment, because ?? 'perhaps', allowed);
}

/** A dead ftrace answers ENODEV, unless a call does not ask it, or finds something wrong before. */
function ofDeadFtrace(moment: Moment, errnos: CallErrnos<Moment['action']>): Judgement {
  const { errno } = moment.outcome;
  if (errno === 0) return 'not applicable';
  const allowed = new Set<Errno>(['ENODEV', ...errnosOf(errnos)]);
  return allowed.has(errno) ? 'held' : differs(moment, 'ftrace is dead', [...allowed]);
}

/** What a failure on the way has left is not promised: the errno is one that the call has. */
function afterFailure(moment: Moment, errnos: CallErrnos<Moment['action']>): Judgement {
  const { errno } = moment.outcome;
  if (errno === 0) return 'not applicable';
  const allowed = errnosOf(errnos);
  return allowed.includes(errno) ? 'held' : differs(moment, 'it has no other', [...new Set(allowed)]);
}

function differs({ action, outcome }: Moment, because: string, allowed: readonly (Errno | 0)[]): Judgement {
  const { errno } = outcome;
  return { is: 'errno-differs', action: action.do, because, allowed: [...new Set(allowed)], observed: errno };
}

/** An allocation or a poke has failed on the way, and the errno is of that, or of what it caused. */
function lacksSomething({ before, after }: Moment): boolean {
  return before.fault !== null && after.fault === null;
}

function isDead({ before, after }: Moment): boolean {
  return before.ftrace.disabled || after.ftrace.disabled;
}

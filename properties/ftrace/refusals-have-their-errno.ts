import type { Action } from '../../model/client/all.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { ErrnoReason } from '../finding/answer-finding.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';

/*
 * What an errno says, from the description of each call and from what clients were promised: not from the order in which
 * a routine refuses. Where several things are wrong with a call, any of their errnos is right.
 */

export const refusalsHaveTheirErrno: AttachLaw = {
  name: 'ftrace/refusals-have-their-errno',
  sentence:
    'A refusal says what is wrong: ENOMEM that memory is short, ENODEV that ftrace is dead or does not know the address, and for a site with a direct call the errno that the call has for it.',
  source:
    'Documentation/trace/ftrace-uses.rst; kernel/trace/ftrace.c  ftrace_startup, register_ftrace_direct, update_ftrace_direct_add',
  witness:
    'a refused call that lacks memory, is made while ftrace is dead, or wants a site with a direct call',
  judge: (moment) => {
    const { action, outcome } = moment;
    const { errno } = outcome;
    if (errno === 0 || errno === 'EBADF' || outcome.died !== undefined) return 'not applicable';
    const breach = (because: ErrnoReason, allowed: readonly Errno[] = []) =>
      ({ is: 'errno-differs', action: action.do, because, allowed, observed: errno }) as const;
    if (lacksSomething(moment)) return errno === 'ENOMEM' ? 'held' : 'not applicable';
    if (errno === 'ENOMEM') return breach('memory is not short');
    if (isDead(moment)) return errno === 'ENODEV' ? 'held' : 'not applicable';
    if (errno === 'ENODEV' && !BY_ADDRESS.has(action.do)) return breach('ftrace is alive');
    const allowed = ERRNOS_OF_A_TAKEN_SITE[action.do];
    if (allowed === undefined || !wantsATakenSite(moment)) return 'not applicable';
    return allowed.includes(errno) ? 'held' : breach('a site has a direct call', allowed);
  },
};

/** An allocation or a poke has failed on the way, and the errno is of that, or of what it caused. */
function lacksSomething({ before, after }: Moment): boolean {
  return before.fault !== null && after.fault === null;
}

function isDead({ before, after }: Moment): boolean {
  return before.ftrace.disabled || after.ftrace.disabled;
}

/** Calls that answer ENODEV if ftrace knows no site, or no direct call, at the address. */
const BY_ADDRESS: ReadonlySet<Action['do']> = new Set([
  'register_ftrace_direct(ip)',
  'modify_ftrace_direct(ip)',
  'unregister_ftrace_direct(ip)',
]);

/** What a call answers for a site with a direct call; EINVAL of register_ftrace_direct() is of the state of its ops. */
const ERRNOS_OF_A_TAKEN_SITE: Readonly<Partial<Record<Action['do'], readonly Errno[]>>> = {
  register_ftrace_direct: ['EBUSY', 'EINVAL'],
  'register_ftrace_direct(ip)': ['EBUSY'],
  update_ftrace_direct_add: ['EINVAL'],
};

/** One of the functions has a client's direct call, as it was promised. */
function wantsATakenSite({ action, before, promised }: Moment): boolean {
  const wanted = wantedBy(action, before);
  return promised.clients.some(({ kind, ips }) => kind === 'direct' && ips.some((ip) => wanted.includes(ip)));
}

function wantedBy(action: Action, { ftrace }: Moment['before']): readonly string[] {
  if (action.do === 'update_ftrace_direct_add') return Object.keys(action.hash);
  if (action.do === 'register_ftrace_direct(ip)') return [action.ip];
  return action.do === 'register_ftrace_direct' ? (ftrace.ops[action.ops]?.filter ?? []) : [];
}

import type { Action } from '../../model/client/all.ts';
import { opsReferencesIp } from '../../model/ftrace/filter-hash.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Changed } from '../finding/answer-finding.ts';
import type { ToldPlace } from '../finding/value.ts';
import type { AttachLaw, Judgement, Moment } from '../law/sequence-law.ts';
import { changedAt, firstDifference } from '../observed/differences.ts';

/**
 * What a dead ftrace refuses. A detach may return 0: its owner is done with it. So may a change of an address by (ip,
 * addr), if the site goes to the list anyway.
 */
const REFUSED: ReadonlySet<Action['do']> = new Set([
  'register_ftrace_function',
  'unregister_ftrace_function',
  'register_ftrace_direct',
  'register_ftrace_direct(ip)',
  'modify_ftrace_direct',
  'update_ftrace_direct_add',
  'update_ftrace_direct_mod',
  'register_ftrace_graph',
  'register_fprobe_ips',
  'kernel.ftrace_enabled',
]);

/** I-29. */
export const deadFtraceStaysDead: AttachLaw = {
  name: 'ftrace/dead-ftrace-stays-dead',
  sentence:
    'A dead ftrace stays dead: it refuses every client, also the one that it dies over, and changes no call site.',
  source: 'kernel/trace/ftrace.c  ftrace_kill, ftrace_startup, ftrace_shutdown',
  witness: 'ftrace already dead, or dying',
  judge: (moment) => {
    const { before, after, action, outcome } = moment;
    if (outcome.died !== undefined) return 'not applicable';
    if (!before.ftrace.disabled) return after.ftrace.disabled ? judgeDeath(moment) : 'not applicable';
    if (!after.ftrace.disabled) return { is: 'ftrace-is-alive-again' };
    const changed =
      firstChange(['text', 'sites'], sitesOfRecords(before, after), sitesOfRecords(after, before)) ??
      firstChange(['ftrace', 'records'], before.ftrace.records, after.ftrace.records) ??
      firstChange(['ftrace', 'opsList'], before.ftrace.opsList, after.ftrace.opsList);
    if (changed !== undefined) return { is: 'dead-ftrace-changes', ...changed };
    if (REFUSED.has(action.do) && outcome.errno === 0)
      return { is: 'dead-ftrace-accepts', action: action.do };
    return 'held';
  },
};

/**
 * A client cannot unregister its ops any more: if it frees that, every later walk of the list follows freed memory. A
 * refusal says nothing about an ops that an earlier step has registered, and that cannot be taken back. Nor is it the
 * ops that ftrace died over if it does not trace the function that ftrace died at: a link to many functions registers
 * one ops, and changes the filter of the next.
 */
function judgeDeath({ before, after, outcome }: Moment): Judgement {
  if (outcome.errno !== 0) return 'not applicable';
  const died = outcome.warnings.find((warning) => warning.is === 'ftrace bug');
  const taken = after.ftrace.opsList.find(
    (ops) =>
      !before.ftrace.opsList.includes(ops) && (died === undefined || opsReferencesIp(after, ops, died.ip)),
  );
  return taken === undefined ? 'held' : { is: 'dead-ftrace-keeps-ops', ops: taken };
}

/**
 * The call site of a BPF program is not ftrace's, and attaching there does not check ftrace. A module's site comes
 * and goes with the module.
 */
function sitesOfRecords({ text, ftrace }: KernelView, other: KernelView): Record<string, string> {
  return Object.fromEntries(
    Object.entries(text.sites).filter(([ip]) => ip in ftrace.records && ip in other.text.sites),
  );
}

function firstChange(room: ToldPlace, before: unknown, after: unknown): Changed | undefined {
  const found = firstDifference(before, after, () => false);
  return found === undefined ? undefined : changedAt(found, room);
}

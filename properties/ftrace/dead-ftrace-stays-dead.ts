import type { Action } from '../../model/client/all.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Changed } from '../finding/answer-finding.ts';
import type { ToldPlace } from '../finding/value.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { changedAt, firstDifference } from '../observed/differences.ts';

/** What a dead ftrace refuses. A detach may return 0: its owner is done with it. */
const REFUSED: ReadonlySet<Action['do']> = new Set([
  'register_ftrace_function',
  'unregister_ftrace_function',
  'register_ftrace_graph',
  'kernel.ftrace_enabled',
]);

/** I-29. */
export const deadFtraceStaysDead: AttachLaw = {
  name: 'ftrace/dead-ftrace-stays-dead',
  sentence: 'Once ftrace is dead it stays dead: it refuses every client and changes no call site.',
  source: 'kernel/trace/ftrace.c  ftrace_kill, ftrace_startup, ftrace_shutdown',
  witness: 'ftrace already dead',
  judge: ({ before, after, action, outcome }) => {
    if (!before.ftrace.disabled || outcome.died !== undefined) return 'not applicable';
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

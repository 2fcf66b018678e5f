import { unreachable } from '../../model/core/unreachable.ts';
import { FTRACE_FL_DIRECT } from '../../model/ftrace/record.ts';
import type { AttachFindingOf } from '../../properties/finding/attach-finding.ts';

/** How each law reports an ops that was freed while registered: by law, the tag of the finding. */
export const LEFT_BY_A_FREED_OPS = [
  ['ftrace/call-sites-match-ops', 'site-differs'],
  ['ftrace/record-flags-match-ops', 'record-flags-differ'],
  ['ftrace/user-counts-match-users', 'counter-differs'],
  ['ftrace/direct-functions-match-direct-ops', 'direct-entry-differs'],
  ['ftrace/record-counts-match-ops', 'record-count-differs'],
] as const;

type LeftFinding = AttachFindingOf<(typeof LEFT_BY_A_FREED_OPS)[number][1]>;

/** Whether ops freed with these functions in their filters explain the finding. */
export function isLeftOf(finding: LeftFinding, freed: readonly string[]): boolean {
  if (finding.is === 'counter-differs') return finding.counter === 'ftrace_start_up' && freed.length > 0;
  if (!freed.includes(finding.ip)) return false;
  switch (finding.is) {
    case 'site-differs':
      return finding.observed.is === 'call';
    case 'record-flags-differ':
      return (finding.observed.flags & FTRACE_FL_DIRECT) !== 0;
    case 'direct-entry-differs':
      return finding.owner === null && finding.observed !== null;
    case 'record-count-differs':
      return finding.observed > finding.tracing.length;
    default:
      return unreachable(finding);
  }
}

import type { Outcome } from '../../model/call/outcome.ts';
import { callOf } from '../../model/client/all.ts';
import type { Warning } from '../../model/core/warning.ts';
import type { KernelView } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import type { LackShown } from '../finding/answer-finding.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { copyKernel } from '../observed/copy-kernel.ts';

/** I-27. */
export const detachNeedsNoMemory: AttachLaw = {
  name: 'ftrace/detach-needs-no-memory',
  sentence: 'Detaching never fails for lack of memory: an attached client can always detach.',
  source:
    'kernel/trace/ftrace.c  ftrace_shutdown, ftrace_shutdown_subops; kernel/bpf/trampoline.c  bpf_trampoline_update',
  witness: 'an allocation failure during detach',
  judge: (moment) => {
    const { before, after, action, outcome } = moment;
    if (
      callOf(action).role !== 'detaches' ||
      !isAlive(moment) ||
      before.fault?.what !== 'allocation' ||
      after.fault !== null
    )
      return 'not applicable';
    const shown = shownBy(outcome, after);
    // The work item of a shim that ran meanwhile lacked it: its program was detached by an earlier call.
    if (shown?.is === 'warning' && isOfLeavingShim(shown.warning)) return 'not applicable';
    if (shown === undefined) return 'held';
    if (shown.is === 'errno' && isRefusedAnyway(moment)) return 'not applicable';
    return { is: 'detaching-needs-memory', action: action.do, routine: before.fault.where, shown };
  },
};

function shownBy({ errno, warnings: [warning] }: Outcome, { fgraph }: KernelView): LackShown | undefined {
  if (errno !== 0) return { is: 'errno', errno };
  if (warning !== undefined) return { is: 'warning', warning };
  const subops = fgraph.subops.filter((name) => !fgraph.array.includes(name.replace(/\.ops$/, '')));
  return subops.length === 0 ? undefined : { is: 'stays with its manager', subops };
}

/** A client that was never attached, or that others need, cannot detach with memory either. */
function isRefusedAnyway({ before, action, program }: Moment): boolean {
  const k = copyKernel(before);
  k.fault = null;
  return apply(k, action, program).errno !== 0;
}

function isOfLeavingShim(warning: Warning): boolean {
  return warning.is === 'program not taken off' && warning.by === 'bpf_shim_tramp_link_release';
}

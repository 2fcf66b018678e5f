import { entry } from '../../model/core/present.ts';
import { innerCallOffset } from '../../model/ftrace/entry/entry-code.ts';
import { FTRACE_OPS_FL_RCU, ftraceOpsGetFunc, isCoreOps } from '../../model/ftrace/ops.ts';
import { LIST_FUNC } from '../../model/ftrace/update-code.ts';
import type { KernelView } from '../../model/kernel.ts';
import { branchIn } from '../../model/text/branch.ts';
import { addressOf, branchTarget } from '../../model/text/space.ts';
import { equal, plus } from '../../model/x86/word.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { isAlive } from '../law/sequence-law.ts';
import { hasFlag } from '../observed/tracing-ops.ts';

const INNER = [
  ['ftrace_call', 'ftrace_caller'],
  ['ftrace_regs_call', 'ftrace_regs_caller'],
] as const;

/** The shared half of I-3: only the list function checks whether an ops wants the call. */
export const sharedEntryCallsASafeHandler: AttachLaw = {
  name: 'ftrace/shared-entry-calls-a-safe-handler',
  sentence:
    'The shared entry code calls a handler directly only if its ops is the only one registered and cannot be freed; otherwise it calls the list.',
  source: 'kernel/trace/ftrace.c  update_ftrace_function, ftrace_modify_all_code',
  witness: 'a registered ops',
  settled: true,
  judge: (moment) => {
    const { after: k } = moment;
    if (!isAlive(moment) || !k.ftrace.enabled || k.ftrace.opsList.length === 0) return 'not applicable';
    const wanted = safeHandler(k);
    for (const [call, caller] of INNER) {
      const address = plus(addressOf(k, caller), innerCallOffset(caller));
      if (equal(branchTarget(entry(k.text.inner, call), address), addressOf(k, wanted))) continue;
      return {
        is: 'inner-call-differs',
        call,
        expected: wanted,
        registered: [...k.ftrace.opsList],
        observed: branchIn(k, entry(k.text.inner, call), address),
      };
    }
    return 'held';
  },
};

function safeHandler(k: KernelView): string {
  const [first = '', second] = k.ftrace.opsList;
  // A client's ops may have been freed on the list.
  if (second !== undefined || !isCoreOps(first)) return LIST_FUNC;
  const ops = entry(k.ftrace.ops, first);
  return hasFlag(ops, FTRACE_OPS_FL_RCU) ? LIST_FUNC : ftraceOpsGetFunc(ops);
}

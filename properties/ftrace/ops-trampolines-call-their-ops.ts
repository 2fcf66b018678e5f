import { entry } from '../../model/core/present.ts';
import { opsInnerCallOffset } from '../../model/ftrace/entry/ops-trampoline.ts';
import {
  FTRACE_OPS_FL_ALLOC_TRAMP,
  FTRACE_OPS_FL_SAVE_REGS,
  ftraceOpsGetFunc,
  opsAt,
} from '../../model/ftrace/ops.ts';
import type { KernelView } from '../../model/kernel.ts';
import { symbolAt } from '../../model/text/branch.ts';
import { addressOf, branchTarget, pageAddress } from '../../model/text/space.ts';
import { equal, fromHex, plus } from '../../model/x86/word.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { hasFlag } from '../observed/tracing-ops.ts';

/** I-3. */
export const opsTrampolinesCallTheirOps: AttachLaw = {
  name: 'ftrace/ops-trampolines-call-their-ops',
  sentence:
    "The trampoline of an ops calls that ops's handler, or ftrace_ops_assist_func(), and passes it that ops.",
  source: 'arch/x86/kernel/ftrace.c  create_trampoline, arch_ftrace_update_trampoline',
  witness: 'a registered ops with its own trampoline',
  settled: true,
  judge: (moment) => {
    const { after: k } = moment;
    if (moment.outcome.died !== undefined) return 'not applicable';
    let witness = false;
    for (const name of k.ftrace.opsList) {
      const ops = k.ftrace.ops[name];
      if (
        ops === undefined ||
        !hasFlag(ops, FTRACE_OPS_FL_ALLOC_TRAMP) ||
        k.text.pages[ops.trampoline] === undefined
      )
        continue;
      witness = true;
      const finding = judgeTrampoline(k, name);
      if (finding !== undefined) return finding;
    }
    return witness ? 'held' : 'not applicable';
  },
};

const BRANCH_BYTES = 5;
const POINTER_DIGITS = 16;

function judgeTrampoline(k: KernelView, name: string): AttachFinding | undefined {
  const ops = entry(k.ftrace.ops, name);
  const { at: index, bytes } = entry(k.text.pages, ops.trampoline);
  const offset = opsInnerCallOffset(hasFlag(ops, FTRACE_OPS_FL_SAVE_REGS));
  const call = bytes.slice(offset * 2, (offset + BRANCH_BYTES) * 2);
  const target = branchTarget(call, plus(pageAddress(index), offset));
  const func = ftraceOpsGetFunc(ops);
  if (!call.startsWith('e8') || !equal(target, addressOf(k, func)))
    return {
      is: 'private-trampoline-calls-another',
      trampoline: ops.trampoline,
      expected: func,
      observed: symbolAt(k, target),
    };
  const handed = opsAt(k, pointerOf(bytes));
  if (handed === name) return undefined;
  return {
    is: 'private-trampoline-hands-another-over',
    trampoline: ops.trampoline,
    expected: name,
    observed: handed ?? null,
  };
}

/** The pointer to the ops: the last word of the page. */
function pointerOf(bytes: string) {
  const digits = bytes.slice(-POINTER_DIGITS).match(/../g)!.reverse().join('');
  return fromHex(`0x${digits}`);
}

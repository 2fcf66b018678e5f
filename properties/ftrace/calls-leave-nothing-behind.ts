import { hasReturned } from '../../model/call/call-frame.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { Current } from '../../model/task/current.ts';
import { nothingForbidden } from '../../model/task/current.ts';
import type { LeftOfACall } from '../finding/call-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** I-34, I-35, I-36, I-39 and I-40, after the call. */
export const callsLeaveNothingBehind: AttachLaw = {
  name: 'ftrace/calls-leave-nothing-behind',
  sentence:
    'After a call, the shadow stack, the list of hooked returns, the run context, the bits against recursion, and every counter and pool are as before.',
  source:
    'include/linux/trace_recursion.h  trace_clear_recursion; kernel/trace/fgraph.c  ftrace_pop_return_trace; kernel/trace/rethook.c  rethook_recycle; kernel/bpf/trampoline.c  __bpf_tramp_exit',
  witness: 'a call with a hooked return, or through an image',
  judge: ({ action, outcome: { call }, before, after: k }) => {
    if (action.do !== 'call' || call === undefined || !hasReturned(call)) return 'not applicable';
    const left = leftOf(k, before);
    if (left !== undefined) return left;
    return call.events.some(({ ret }) => ret !== undefined) ? 'held' : 'not applicable';
  },
};

const IDLE = nothingForbidden();
const FIELDS = Object.keys(IDLE) as (keyof Current)[];

function leftOf({ fgraph, probes, bpf, current }: KernelView, before: KernelView): LeftOfACall | undefined {
  if (fgraph.stopped) return { is: 'function-graph-has-stopped' };
  if (fgraph.retStack.length > 0 || fgraph.used > 0)
    return { is: 'shadow-stack-is-not-empty', frames: fgraph.retStack.length, words: fgraph.used };
  if (probes.hooked.length > 0) return { is: 'returns-stay-hooked', count: probes.hooked.length };
  for (const [pool, { free, max }] of Object.entries(probes.rethooks))
    if (free !== max) return { is: 'nodes-are-not-free', pool, expected: max, observed: free };
  for (const field of FIELDS)
    if (current[field] !== IDLE[field])
      return { is: 'task-stays-in-a-section', field, value: current[field] };
  if (bpf.runContext !== '0x0') return { is: 'run-context-stays-set', context: bpf.runContext };
  for (const [image, { refs }] of Object.entries(bpf.images))
    if (refs !== (before.bpf.images[image]?.refs ?? 0)) return { is: 'image-stays-entered', image, refs };
  for (const [prog, { active }] of Object.entries(bpf.progs))
    if (active !== 0) return { is: 'program-stays-active', prog: Number(prog), active };
  return undefined;
}

import { hasReturned } from '../../model/call/call-frame.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** I-34, I-35, I-36, I-39 and I-40 when the call is over. */
export const nothingIsLeftOfACall: AttachLaw = {
  name: 'ftrace/nothing-is-left-of-a-call',
  sentence:
    'When a call is over, the shadow stack, the list of hooked returns, the run context, and every counter and pool that it used are as before.',
  source:
    'kernel/trace/fgraph.c  ftrace_pop_return_trace; kernel/trace/rethook.c  rethook_recycle; kernel/bpf/trampoline.c  __bpf_tramp_exit',
  witness: 'a call was followed to its return, or went through an image',
  judge: ({ action, outcome: { call }, before, after: k }) => {
    if (action.do !== 'call' || call === undefined || !hasReturned(call)) return 'no say';
    const left = leftOf(k, before);
    if (left !== undefined) return left;
    return call.events.some(({ ret }) => ret !== undefined) ? 'held' : 'no say';
  },
};

function leftOf({ fgraph, probes, bpf }: Kernel, before: Kernel): AttachFinding | undefined {
  if (fgraph.stopped)
    return { expected: 'the function graph tracer goes on', observed: 'it has stopped itself' };
  if (fgraph.retStack.length > 0 || fgraph.used > 0)
    return {
      expected: 'the shadow stack is empty',
      observed: `it holds ${fgraph.retStack.length} frames in ${fgraph.used} words`,
    };
  if (probes.hooked.length > 0)
    return { expected: 'no return is hooked', observed: `${probes.hooked.length} are` };
  for (const [name, { free, max }] of Object.entries(probes.rethooks))
    if (free !== max) return { expected: `${name} has ${max} free nodes`, observed: `it has ${free}` };
  if (bpf.runContext !== '0x0')
    return { expected: 'no run context is set', observed: `${bpf.runContext} is` };
  for (const [name, { refs }] of Object.entries(bpf.images))
    if (refs !== (before.bpf.images[name]?.refs ?? 0))
      return { expected: `nobody is in ${name}`, observed: `its reference count is ${refs}` };
  for (const [number, { active }] of Object.entries(bpf.progs))
    if (active !== 0)
      return { expected: `prog#${number} is not running`, observed: `its counter is ${active}` };
  return undefined;
}

import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import type { SeenEvent } from '../observed/seen-call.ts';
import { seenCall } from '../observed/seen-call.ts';

/** Also: the events of a call enclose those of the calls that its body makes. */
export const callbacksRunInStageOrder: AttachLaw = {
  name: 'ftrace/callbacks-run-in-stage-order',
  sentence:
    "A call runs the handlers on ftrace's list first, then the direct call or entry programs, the function, exit programs and return hooks.",
  source: 'kernel/trace/ftrace.c  call_direct_funcs; kernel/bpf/trampoline.c; arch/x86/net/bpf_jit_comp.c',
  witness: 'callbacks of two stages in one call',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    const progress = new Map<ExpectedCall, SeenEvent>();
    let witness = false;
    for (const event of seen.events) {
      if (event.call === undefined) continue;
      const last = progress.get(event.call);
      if (last !== undefined && stageOf(last) > stageOf(event)) return wrong(last, event);
      const open = openCall(event.call, progress);
      if (open !== undefined) return open;
      witness ||= last !== undefined && stageOf(last) < stageOf(event);
      progress.set(event.call, event);
    }
    return witness ? 'held' : 'not applicable';
  },
};

const LIST = 0;
const DIRECT = 1;
const MODIFY_RETURN = 2;
const BODY = 3;
const EXIT_PROGRAMS = 4;
const RETURN_HOOKS = 5;

function stageOf({ event: { kind }, half, client }: SeenEvent): number {
  if (half === 'body') return BODY;
  if (kind === 'direct') return DIRECT;
  if (kind !== 'program') return half === 'exit' ? RETURN_HOOKS : LIST;
  if (half === 'exit') return EXIT_PROGRAMS;
  return client?.program?.kind === 'fmod_ret' ? MODIFY_RETURN : DIRECT;
}

/** An inner call has returned and shows no further events. */
function openCall(
  call: ExpectedCall,
  progress: ReadonlyMap<ExpectedCall, SeenEvent>,
): AttachFinding | undefined {
  for (const inner of call.calls) {
    const last = progress.get(inner);
    const own = progress.get(call);
    if (last === undefined || own === undefined || own.half !== 'entry') continue;
    return { is: 'inner-call-runs-first', fn: call.fn, inner: inner.fn, who: last.event.who };
  }
  return undefined;
}

function wrong(last: SeenEvent, event: SeenEvent): AttachFinding {
  const stage = ({ event: { who, kind }, half }: SeenEvent) => ({
    who,
    as: kind === 'program' ? half : kind,
  });
  return { is: 'stages-change-places', fn: event.call!.fn, first: stage(event), second: stage(last) };
}

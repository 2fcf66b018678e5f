import type { PromisedClient } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import type { ExpectedCall } from '../observed/expectation.ts';
import type { SeenCall, SeenEvent } from '../observed/seen-call.ts';
import { seenCall } from '../observed/seen-call.ts';

export const exitHandlersSeeTheReturnValue: AttachLaw = {
  name: 'ftrace/exit-handlers-see-the-return-value',
  sentence:
    'Every exit handler and exit program sees the value that the caller gets; a program that runs before the function sees zero.',
  source:
    'kernel/trace/fgraph.c  ftrace_return_to_handler; arch/x86/net/bpf_jit_comp.c  invoke_bpf_mod_ret, invoke_bpf',
  witness: 'an exit handler or exit program that runs',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    let witness = false;
    for (const { event, half, call, client } of seen.events) {
      if (event.ret === undefined || call === undefined || client === undefined) continue;
      const expected = half === 'exit' ? returnOf(call, seen) : '0x0';
      witness ||= half === 'exit';
      if (expected !== undefined && event.ret !== expected && owes(event, client, half))
        return {
          is: 'seen-return-value-differs',
          who: event.who,
          fn: call.fn,
          expected,
          observed: event.ret,
        };
    }
    return witness ? 'held' : 'not applicable';
  },
};

/** The contents of `rax` after a call; of a `void` function only its caller knows them. */
function returnOf(call: ExpectedCall, { expected, run }: SeenCall): string | undefined {
  return call.returns ?? (call === expected ? run.rax : undefined);
}

/**
 * The return value's slot is cleared before modify-return programs and sessions; an entry program has no such slot.
 */
function owes({ kind }: CallEvent, { program }: PromisedClient, half: SeenEvent['half']): boolean {
  return half === 'exit' || (kind === 'program' && program!.kind !== 'fentry');
}

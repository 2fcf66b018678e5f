import type { ProgramOnEvent } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { isInBody } from '../../model/text/body-address.ts';
import { addressOf } from '../../model/text/space.ts';
import { toHex, ZERO } from '../../model/x86/word.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw, Moment } from '../law/sequence-law.ts';
import { seenCall } from '../observed/seen-call.ts';

export const kprobeEventsRunTheirProgram: AttachLaw = {
  name: 'ftrace/kprobe-events-run-their-program',
  sentence:
    'The perf event of a kprobe runs its own program, with its cookie; bpf_get_func_ip() returns the address of the function at its entry and its return, and 0 in its body.',
  source:
    'kernel/trace/trace_kprobe.c  kprobe_perf_func, kretprobe_perf_func; kernel/trace/bpf_trace.c  trace_call_bpf, bpf_get_func_ip_kprobe',
  witness: 'a program on the perf event of a kprobe run',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    let witness = false;
    for (const { event, client } of seen.events) {
      if (client?.onEvent === undefined) continue;
      const wrong = wrongProgram(event, client.onEvent) ?? wrongIp(moment, event, client.getFuncIp);
      if (wrong !== undefined) return wrong;
      witness = true;
    }
    return witness ? 'held' : 'not applicable';
  },
};

function wrongProgram(
  { who, fn, prog = '', cookie = toHex(ZERO) }: CallEvent,
  promised: ProgramOnEvent,
): AttachFinding | undefined {
  const wanted = `prog#${promised.prog}`;
  if (prog !== wanted) return { is: 'event-runs-another-program', who, fn, expected: wanted, observed: prog };
  const expected = toHex(promised.cookie);
  return cookie === expected
    ? undefined
    : { is: 'cookies-differ', who, fn, expected: [expected], observed: [cookie] };
}

function wrongIp({ after }: Moment, { who, fn, ip }: CallEvent, isAsked: boolean): AttachFinding | undefined {
  if (!isAsked) return undefined;
  const expected = isInBody(fn) ? toHex(ZERO) : toHex(addressOf(after, fn));
  return ip === expected ? undefined : { is: 'function-ip-differs', who, fn, expected, observed: ip ?? null };
}

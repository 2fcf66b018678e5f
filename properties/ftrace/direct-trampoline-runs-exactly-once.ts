import { SITE_BYTES } from '../../model/text/text.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { seenCall } from '../observed/seen-call.ts';

/**
 * I-33. Not applicable after the kernel refused to detach one client, detached it all the same, and promised its site
 * to another.
 */
export const directTrampolineRunsExactlyOnce: AttachLaw = {
  name: 'ftrace/direct-trampoline-runs-exactly-once',
  sentence:
    "A function's direct trampoline runs exactly once per call, then returns just past the call site, or to the live patch's replacement.",
  source: 'kernel/trace/ftrace.c  call_direct_funcs; arch/x86/kernel/ftrace_64.S  ftrace_regs_caller',
  witness: 'a call of a function with a direct call',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    const { siteOffset } = moment.after.text;
    let witness = false;
    for (const call of seen.calls) {
      const [client, another] = call.clients.filter(({ kind }) => kind === 'direct');
      if (client === undefined || another !== undefined) continue;
      witness = true;
      const behind = `${call.fn}+0x${(siteOffset + SITE_BYTES).toString(16)}`;
      const expected = call.clients.some(({ ipmodify }) => ipmodify) ? 'replacement' : behind;
      const made = seen.events.filter((event) => event.call === call && event.event.kind === 'direct');
      const observed = made.map(({ event }) => event.returnsTo ?? '');
      if (made.length !== 1 || observed[0] !== expected)
        return { is: 'direct-call-differs', who: client.who, expected, observed };
    }
    return witness ? 'held' : 'not applicable';
  },
};

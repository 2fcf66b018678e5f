import { entry } from '../../model/core/present.ts';
import { ftraceIsJmp } from '../../model/ftrace/jmp.ts';
import { FTRACE_FL_IPMODIFY, has } from '../../model/ftrace/record.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** I-43. */
export const noJumpUnderALivePatch: AttachLaw = {
  name: 'trampoline/no-jump-under-a-live-patch',
  sentence:
    'A function with an IPMODIFY ops has no direct call entered by a jump, which would lose the return address that the live patch set.',
  source: 'kernel/bpf/trampoline.c  bpf_tramp_ftrace_ops_func; arch/x86/kernel/ftrace_64.S',
  witness: 'a direct call and an IPMODIFY ops on one function',
  settled: true,
  judge: (moment) => {
    if (moment.outcome.died !== undefined) return 'not applicable';
    const { records, directFunctions } = moment.after.ftrace;
    let witness = false;
    for (const ip in directFunctions) {
      const rec = records[ip];
      if (rec === undefined || !has(rec, FTRACE_FL_IPMODIFY)) continue;
      witness = true;
      const target = entry(directFunctions, ip);
      if (ftraceIsJmp(target)) return { is: 'direct-call-is-jumped-to', ip, target };
    }
    return witness ? 'held' : 'not applicable';
  },
};

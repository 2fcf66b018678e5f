import { PROGRAM_ARGUMENTS } from '../../model/trampoline/stage/event.ts';
import type { Law } from '../law/image-law.ts';
import { ctxSlot, describe, finding, isArgument, programName } from '../observed/seen.ts';

export const argumentsReachPrograms: Law = {
  name: 'trampoline/arguments-reach-programs',
  sentence:
    "Every program finds in ctx the caller's arguments, word for word, in the order of the declaration.",
  source: 'arch/x86/net/bpf_jit_comp.c  save_args',
  premise: ({ contract }) => contract.slots.length > 0,
  witness: 'a program looked at an argument',
  on: {
    program: (memory, event, subject) => {
      const { slots } = subject.contract;
      for (let i = 0; i < slots.length; i++) {
        if (isArgument(event, PROGRAM_ARGUMENTS + i, i, slots[i]!.bytes)) continue;
        const expected = `ctx[${i}] of ${programName(subject, event.number)} holds argument word ${i + 1}`;
        return finding(
          event,
          expected,
          `it holds ${describe(event, PROGRAM_ARGUMENTS + i)}`,
          ctxSlot(event, i),
        );
      }
      return memory;
    },
  },
};

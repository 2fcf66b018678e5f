import { placeName } from '../../model/abi/x86-64.ts';
import { ORIGINAL_REGISTERS, ORIGINAL_STACK, wordOf } from '../../model/trampoline/stage/event.ts';
import { plus } from '../../model/x86/word.ts';
import type { Law } from '../law/image-law.ts';
import { describe, finding, isArgument } from '../observed/seen.ts';

export const argumentsReachTheOriginal: Law = {
  name: 'trampoline/arguments-reach-the-original',
  sentence: "The traced function finds the caller's arguments where the ABI puts them.",
  source: 'arch/x86/net/bpf_jit_comp.c  restore_regs, save_args',
  premise: ({ contract }) => contract.slots.length > 0,
  witness: 'the function had an argument',
  on: {
    original: (memory, event, subject) => {
      const { slots } = subject.contract;
      for (let i = 0; i < slots.length; i++) {
        const { place, bytes } = slots[i]!;
        const index = (place.in === 'register' ? ORIGINAL_REGISTERS : ORIGINAL_STACK) + place.index;
        if (isArgument(event, index, i, bytes)) continue;
        const expected = `the original finds argument word ${i + 1} in ${placeName(place)}`;
        const slot = place.in === 'stack' ? plus(wordOf(event, 2), 8 + 8 * place.index) : undefined;
        return finding(event, expected, `it finds ${describe(event, index)}`, slot);
      }
      return memory;
    },
  },
};

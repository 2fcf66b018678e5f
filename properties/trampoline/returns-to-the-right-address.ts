import { wordOf } from '../../model/trampoline/stage/event.ts';
import { CALLER_FRAME } from '../../model/trampoline/stage/layout.ts';
import { RSP } from '../../model/x86/register.ts';
import { equal, plus, toHex } from '../../model/x86/word.ts';
import type { ImageFindingOf } from '../finding/image-finding.ts';
import type { Law } from '../law/image-law.ts';
import { entryStackPointer, foundAt } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

export const returnsToTheRightAddress: Law = {
  name: 'trampoline/returns-to-the-right-address',
  sentence:
    'The image returns into the function if it did not call it, otherwise past it to the caller, and restores rsp.',
  source: 'arch/x86/net/bpf_jit_comp.c  __arch_prepare_bpf_trampoline (BPF_TRAMP_F_SKIP_FRAME)',
  premise: () => true,
  witness: 'an image that returns',
  on: {
    leave: (memory, event, subject) => {
      const rsp = wordOf(event, 2);
      const wanted = plus(entryStackPointer(subject), skips(subject) ? 8 : 0);
      if (equal(rsp, wanted)) return memory;
      const off = (rsp.lo - wanted.lo) | 0;
      const observed = toHex(wordOf(event, 3));
      return foundAt(event, { is: 'returns-to-another-place', expected: whereTo(subject), off, observed });
    },
  },
  conclude: (_memory, end) => {
    const { value } = end.register(RSP);
    if (equal(value, CALLER_FRAME)) return undefined;
    return { finding: { is: 'caller-finds-another-rsp', off: value.lo - CALLER_FRAME.lo } };
  },
};

function whereTo(subject: Subject): ImageFindingOf<'returns-to-another-place'>['expected'] {
  if (skips(subject)) return 'past the function';
  return subject.entry.jmp ? 'to the caller' : 'into the function';
}

/** Whether the return address into the function, at the top of the stack, has to be dropped. */
function skips({ flags, entry }: Subject): boolean {
  return flags.CALL_ORIG && !entry.jmp;
}

import { wordOf } from '../../model/trampoline/stage/event.ts';
import { CALLER_FRAME } from '../../model/trampoline/stage/layout.ts';
import { RSP } from '../../model/x86/register.ts';
import { equal, plus, toHex } from '../../model/x86/word.ts';
import type { Law } from '../law/image-law.ts';
import { entryStackPointer, finding } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

export const returnsToTheRightPlace: Law = {
  name: 'trampoline/returns-to-the-right-place',
  sentence:
    'The image returns into the function when it did not call it, otherwise past it to the caller, with rsp as it was.',
  source: 'arch/x86/net/bpf_jit_comp.c  __arch_prepare_bpf_trampoline (BPF_TRAMP_F_SKIP_FRAME)',
  premise: () => true,
  witness: 'an image returned',
  on: {
    leave: (memory, event, subject) => {
      const rsp = wordOf(event, 2);
      const wanted = plus(entryStackPointer(subject), skips(subject) ? 8 : 0);
      if (equal(rsp, wanted)) return memory;
      const off = (rsp.lo - wanted.lo) | 0;
      const observed = `rsp is ${Math.abs(off)} bytes too ${off < 0 ? 'low' : 'high'}: it returns to ${toHex(wordOf(event, 3))}`;
      return finding(event, `the image returns ${whereTo(subject)}`, observed);
    },
  },
  conclude: (_memory, end) => {
    const { word } = end.register(RSP);
    if (equal(word, CALLER_FRAME)) return undefined;
    return {
      expected: 'the caller finds rsp as it was',
      observed: `it is off by ${word.lo - CALLER_FRAME.lo} bytes`,
    };
  },
};

function whereTo(subject: Subject): string {
  if (skips(subject)) return 'past the function to the caller';
  return subject.entry.jmp ? 'to the caller' : 'into the function';
}

/** Whether the return into the function, which stands on top, has to be dropped. */
function skips({ flags, entry }: Subject): boolean {
  return flags.CALL_ORIG && !entry.jmp;
}

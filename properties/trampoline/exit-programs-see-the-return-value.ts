import { programReturnValue } from '../../model/trampoline/stage/cells.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { wordOf } from '../../model/trampoline/stage/event.ts';
import { PROGRAM_RETURN, RETURN } from '../../model/trampoline/stage/groups.ts';
import { equal, ZERO } from '../../model/x86/word.ts';
import type { ReturnInContext } from '../finding/image-finding.ts';
import type { Law } from '../law/image-law.ts';
import {
  ctxSlot,
  foundAt,
  isConstant,
  isWhole,
  programNumbered,
  returnSlot,
  seenWord,
  stopsTheCall,
  toldProgram,
} from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: 0 before the original, 1 after it, 1 + n after program n ended the call. */
export const exitProgramsSeeTheReturnValue: Law = {
  name: 'trampoline/exit-programs-see-the-return-value',
  sentence:
    'An exit program finds the return value after its arguments; a program that runs before the original finds zero there.',
  source: 'arch/x86/net/bpf_jit_comp.c  invoke_bpf_mod_ret (return value at rbp-8)',
  premise: ({ contract }) => contract.surrounds,
  witness: 'a program that can read the return value',
  on: {
    original: () => 1,
    program: (memory, event, subject) => {
      const wanted = wantedInstead(memory, event, subject);
      if (wanted === undefined) return stopsTheCall(event, subject) ? 1 + event.number : memory;
      const slot = subject.contract.slots.length;
      const finding = {
        is: 'return-in-context-differs',
        program: toldProgram(subject, event.number),
        slot,
        expected: wanted,
        observed: seenWord(event, returnSlot(subject)),
      } as const;
      return foundAt(event, finding, ctxSlot(event, slot));
    },
  },
};

/** What the program should have found; undefined when it did. */
function wantedInstead(memory: number, event: StageEvent, subject: Subject): ReturnInContext | undefined {
  const index = returnSlot(subject);
  if (programNumbered(subject, event.number)?.kind === 'fentry') return undefined;
  if (memory === 1) return isWhole(event, index, RETURN) ? undefined : { is: 'of the original' };
  if (memory === 0) return isZero(event, index) ? undefined : { is: 'zero' };
  const right =
    isWhole(event, index, PROGRAM_RETURN) && equal(wordOf(event, index), programReturnValue(memory - 1));
  return right ? undefined : { is: 'of a program', program: toldProgram(subject, memory - 1) };
}

/** Zero: a constant, or the return value of a program that let the call continue. */
function isZero(event: StageEvent, index: number): boolean {
  if (isConstant(event, index, ZERO)) return true;
  return isWhole(event, index, PROGRAM_RETURN) && equal(wordOf(event, index), ZERO);
}

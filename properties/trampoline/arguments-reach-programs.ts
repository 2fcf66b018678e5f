import { item } from '../../model/core/present.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { PROGRAM_ARGUMENTS } from '../../model/trampoline/stage/event.ts';
import type { FoundInstead } from '../finding/image-finding.ts';
import type { Law } from '../law/image-law.ts';
import { ctxSlot, foundAt, isArgument, seenWord, toldProgram } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

export const argumentsReachPrograms: Law = {
  name: 'trampoline/arguments-reach-programs',
  sentence: "Every program finds the caller's arguments in ctx, word for word, in declaration order.",
  source: 'arch/x86/net/bpf_jit_comp.c  save_args',
  premise: ({ contract }) => contract.slots.length > 0,
  witness: 'a program that reads an argument',
  on: {
    program: (memory, event, subject) => {
      const [first, ...others] = wrongWords(event, subject);
      if (first === undefined) return memory;
      const program = toldProgram(subject, event.number);
      const finding = { is: 'program-arguments-differ', program, words: [first, ...others] } as const;
      return foundAt(event, finding, ctxSlot(event, first.argument));
    },
  },
};

/** Words of ctx that are not their arguments. */
function wrongWords(event: StageEvent, { contract: { slots } }: Subject): readonly FoundInstead[] {
  let wrong: FoundInstead[] | undefined;
  for (let i = 0; i < slots.length; i++)
    if (!isArgument(event, PROGRAM_ARGUMENTS + i, i, item(slots, i).bytes))
      (wrong ??= []).push({ argument: i, observed: seenWord(event, PROGRAM_ARGUMENTS + i) });
  return wrong ?? NONE;
}

const NONE: readonly FoundInstead[] = [];

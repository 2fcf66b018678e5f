import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { EVENT, wordOf } from '../../model/trampoline/stage/event.ts';
import { OUTER_CONTEXT } from '../../model/trampoline/stage/groups.ts';
import { highTags, lowTags } from '../../model/x86/origin.ts';
import { toHex } from '../../model/x86/word.ts';
import type { FoundInImage, Law } from '../law/image-law.ts';
import { foundAt, isConstant, programAt, programNumbered, seenWord, toldProgram } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: low half of the run context's address between enter and exit. */
export const runContextHoldsTheCookie: Law = {
  name: 'trampoline/run-context-holds-the-cookie',
  sentence:
    "A program's run context holds its own cookie from enter to exit, and the task's outer run context is restored afterwards.",
  source: 'kernel/bpf/trampoline.c  __bpf_prog_enter_recur (bpf_set_run_ctx)',
  premise: () => true,
  witness: 'a program entered',
  on: {
    enter: (_memory, event, subject) =>
      wrongCookie(programAt(event, 2, subject), event, 4, subject) ?? wordOf(event, 3).lo,
    program: (memory, event, subject) => wrongCookie(event.number, event, 5, subject) ?? memory,
    exit: (memory, event) => {
      if (memory === wordOf(event, 4).lo) return 0;
      return foundAt(event, { is: 'exit-is-given-another-context', observed: seenWord(event, 4) });
    },
  },
  conclude: (_memory, { taskContext }) => {
    const { tagLo, tagHi } = taskContext;
    if (tagLo === lowTags(OUTER_CONTEXT) && tagHi === highTags(OUTER_CONTEXT)) return undefined;
    return { finding: { is: 'outer-context-is-lost', observed: taskContext } };
  },
};

/** Compares the cookie in word `index` with the program's. */
function wrongCookie(
  id: number,
  event: StageEvent,
  index: number,
  subject: Subject,
): FoundInImage | undefined {
  const program = programNumbered(subject, id);
  if (program === undefined || isConstant(event, index, program.cookie)) return undefined;
  const finding = {
    is: 'run-context-has-another-cookie',
    program: toldProgram(subject, id),
    expected: toHex(program.cookie),
    observed: seenWord(event, index),
  } as const;
  return foundAt(event, finding, event.kind === EVENT.ENTER ? wordOf(event, 3) : undefined);
}

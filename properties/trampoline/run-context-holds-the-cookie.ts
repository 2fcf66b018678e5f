import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { EVENT, wordOf } from '../../model/trampoline/stage/event.ts';
import { OUTER_CONTEXT } from '../../model/trampoline/stage/groups.ts';
import { highTags, lowTags } from '../../model/x86/origin.ts';
import { toHex } from '../../model/x86/word.ts';
import type { Finding, Law } from '../law/image-law.ts';
import {
  describe,
  describeTags,
  finding,
  isConstant,
  programAt,
  programName,
  programNumbered,
} from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: low half of the run context's address between enter and exit. */
export const runContextHoldsTheCookie: Law = {
  name: 'trampoline/run-context-holds-the-cookie',
  sentence:
    "A program's run context holds its own cookie from enter to exit, and the task's outer context is back afterwards.",
  source: 'kernel/bpf/trampoline.c  __bpf_prog_enter_recur (bpf_set_run_ctx)',
  premise: () => true,
  witness: 'a program was entered',
  on: {
    enter: (_memory, event, subject) =>
      wrongCookie(programAt(event, 2, subject), event, 4, subject) ?? wordOf(event, 3).lo,
    program: (memory, event, subject) => wrongCookie(event.number, event, 5, subject) ?? memory,
    exit: (memory, event) => {
      if (memory === wordOf(event, 4).lo) return 0;
      return finding(
        event,
        'exit is given the run context that enter got',
        `it is given ${describe(event, 4)}`,
      );
    },
  },
  conclude: (_memory, { taskContext: { word, tagLo, tagHi } }) => {
    if (tagLo === lowTags(OUTER_CONTEXT) && tagHi === highTags(OUTER_CONTEXT)) return undefined;
    const observed = `it is ${describeTags(word, { lo: tagLo, hi: tagHi })}`;
    return { expected: 'current->bpf_ctx is what it was before the call', observed };
  },
};

/** Compares the cookie in word `index` with the program's. */
function wrongCookie(id: number, event: StageEvent, index: number, subject: Subject): Finding | undefined {
  const program = programNumbered(subject, id);
  if (program === undefined || isConstant(event, index, program.cookie)) return undefined;
  const expected = `the run context of ${programName(subject, id)} holds the cookie ${toHex(program.cookie)}`;
  const slot = event.kind === EVENT.ENTER ? wordOf(event, 3) : undefined;
  return finding(event, expected, `it holds ${describe(event, index)}`, slot);
}

import { startValue } from '../../model/trampoline/stage/cells.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { wordOf } from '../../model/trampoline/stage/event.ts';
import { START } from '../../model/trampoline/stage/groups.ts';
import { equal } from '../../model/x86/word.ts';
import type { FoundInImage, Law } from '../law/image-law.ts';
import { foundAt, isWhole, programAt, seenWord, toldProgram } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: twice the program that is entered, plus 1 when enter returned a start time; 0 when none is. */
export const enterAndExitArePaired: Law = {
  name: 'trampoline/enter-and-exit-are-paired',
  sentence:
    'Each __bpf_prog_enter is followed by __bpf_prog_exit for the same program, with the value that enter returned, even if that is zero.',
  source: 'arch/x86/net/bpf_jit_comp.c  invoke_bpf_prog',
  premise: () => true,
  witness: 'a program entered',
  on: { enter: entered, exit: exited, original: outside, leave: outside },
};

function entered(memory: number, event: StageEvent, subject: Subject): number | FoundInImage {
  if (memory !== 0) return notExited(memory, event, subject);
  const id = programAt(event, 2, subject);
  if (id === 0) return foundAt(event, { is: 'enter-is-given-no-program', observed: seenWord(event, 2) });
  const start = wordOf(event, 5);
  return id * 2 + ((start.lo | start.hi) !== 0 ? 1 : 0);
}

function exited(memory: number, event: StageEvent, subject: Subject): number | FoundInImage {
  const inside = memory >> 1;
  const id = programAt(event, 2, subject);
  if (memory === 0 || id !== inside)
    return foundAt(event, {
      is: 'exit-is-given-another-program',
      expected: memory === 0 ? null : toldProgram(subject, inside),
      observed: id === 0 ? seenWord(event, 2) : toldProgram(subject, id),
    });
  if (isWhole(event, 3, START) && equal(wordOf(event, 3), startValue(id, (memory & 1) === 1))) return 0;
  const observed = seenWord(event, 3);
  return foundAt(event, { is: 'exit-is-given-another-start', program: toldProgram(subject, id), observed });
}

/** No program is entered between programs. */
function outside(memory: number, event: StageEvent, subject: Subject): number | FoundInImage {
  return memory === 0 ? 0 : notExited(memory, event, subject);
}

function notExited(memory: number, event: StageEvent, subject: Subject): FoundInImage {
  const program = toldProgram(subject, memory >> 1);
  return foundAt(event, { is: 'program-is-not-exited', program, missed: (memory & 1) === 0 });
}

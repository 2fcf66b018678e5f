import { wordOf } from '../../model/trampoline/stage/event.ts';
import type { Law } from '../law/image-law.ts';
import { foundAt, programAt, toldProgram } from '../observed/seen.ts';

/** Memory: four times the program that is entered, plus 1 when it may run, plus 2 when it did. */
export const programRunsIffEntered: Law = {
  name: 'trampoline/program-runs-iff-entered',
  sentence:
    'Between enter and exit, a program runs exactly once if enter returned a start time, and not at all if it returned zero.',
  source: 'arch/x86/net/bpf_jit_comp.c  invoke_bpf_prog (skip_exec_of_prog)',
  premise: () => true,
  witness: 'a program entered',
  on: {
    enter: (_memory, event, subject) => {
      const start = wordOf(event, 5);
      return programAt(event, 2, subject) * 4 + ((start.lo | start.hi) !== 0 ? 1 : 0);
    },
    program: (memory, event, subject) => {
      if (memory === event.number * 4 + 1) return memory + 2;
      const program = toldProgram(subject, event.number);
      if (memory === event.number * 4) return foundAt(event, { is: 'missed-program-runs', program });
      return foundAt(event, { is: 'program-runs-unasked', program, again: (memory & 2) !== 0 });
    },
    exit: (memory, event, subject) =>
      (memory & 3) === 1
        ? foundAt(event, { is: 'entered-program-does-not-run', program: toldProgram(subject, memory >> 2) })
        : 0,
  },
};

import { wordOf } from '../../model/trampoline/stage/event.ts';
import type { Law } from '../law/image-law.ts';
import { finding, programAt, programName } from '../observed/seen.ts';

/** Memory: four times the program that is inside, plus 1 when it may run, plus 2 when it did. */
export const programRunsIfEntered: Law = {
  name: 'trampoline/program-runs-if-entered',
  sentence:
    'Between enter and exit a program runs once when enter answered a start time, and not at all when it answered zero.',
  source: 'arch/x86/net/bpf_jit_comp.c  invoke_bpf_prog (skip_exec_of_prog)',
  premise: () => true,
  witness: 'a program was entered',
  on: {
    enter: (_memory, event, subject) => {
      const start = wordOf(event, 5);
      return programAt(event, 2, subject) * 4 + ((start.lo | start.hi) !== 0 ? 1 : 0);
    },
    program: (memory, event, subject) => {
      if (memory === event.number * 4 + 1) return memory + 2;
      const name = programName(subject, event.number);
      if (memory === event.number * 4)
        return finding(event, `${name} does not run: enter answered zero`, 'it runs');
      const again = (memory & 2) !== 0 ? ' again' : '';
      return finding(event, 'only the program that was entered runs', `${name} runs${again}`);
    },
    exit: (memory, event, subject) =>
      (memory & 3) === 1
        ? finding(event, `${programName(subject, memory >> 2)} runs`, 'it is exited without')
        : 0,
  },
};

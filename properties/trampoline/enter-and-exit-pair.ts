import { startValue } from '../../model/trampoline/stage/cells.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { wordOf } from '../../model/trampoline/stage/event.ts';
import { START } from '../../model/trampoline/stage/groups.ts';
import { equal } from '../../model/x86/word.ts';
import type { Finding, Law } from '../law/image-law.ts';
import { describe, finding, isWhole, programAt, programName } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: twice the program that is inside, plus 1 when enter answered a start time; 0 when none is. */
export const enterAndExitPair: Law = {
  name: 'trampoline/enter-and-exit-pair',
  sentence:
    'Each __bpf_prog_enter is followed by its __bpf_prog_exit, for the same program and with its answer, even when that was zero.',
  source: 'arch/x86/net/bpf_jit_comp.c  invoke_bpf_prog',
  premise: () => true,
  witness: 'a program was entered',
  on: { enter: entered, exit: exited, original: outside, leave: outside },
};

function entered(memory: number, event: StageEvent, subject: Subject): number | Finding {
  if (memory !== 0) return notExited(memory, event, subject);
  const id = programAt(event, 2, subject);
  if (id === 0)
    return finding(event, 'enter is given an attached program', `it is given ${describe(event, 2)}`);
  const start = wordOf(event, 5);
  return id * 2 + ((start.lo | start.hi) !== 0 ? 1 : 0);
}

function exited(memory: number, event: StageEvent, subject: Subject): number | Finding {
  const inside = memory >> 1;
  const id = programAt(event, 2, subject);
  if (memory === 0 || id !== inside) {
    const expected =
      memory === 0 ? 'no exit without an enter' : `exit is given ${programName(subject, inside)}`;
    return finding(
      event,
      expected,
      `exit is given ${id === 0 ? describe(event, 2) : programName(subject, id)}`,
    );
  }
  const right = isWhole(event, 3, START) && equal(wordOf(event, 3), startValue(id, (memory & 1) === 1));
  const expected = `exit of ${programName(subject, id)} is given what enter answered`;
  return right ? 0 : finding(event, expected, `it is given ${describe(event, 3)}`);
}

/** Between programs nobody is inside. */
function outside(memory: number, event: StageEvent, subject: Subject): number | Finding {
  return memory === 0 ? 0 : notExited(memory, event, subject);
}

function notExited(memory: number, event: StageEvent, subject: Subject): Finding {
  const missed = (memory & 1) === 0 ? ', though enter answered zero' : '';
  return finding(
    event,
    `${programName(subject, memory >> 1)} is exited${missed}`,
    'the image goes on without',
  );
}

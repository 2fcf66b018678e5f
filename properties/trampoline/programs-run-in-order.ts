import type { BpfProgram } from '../../model/trampoline/program.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import type { ToldStep } from '../finding/image-finding.ts';
import type { FoundInImage, Law } from '../law/image-law.ts';
import { foundAt, programAt, stopsTheCall, toldProgram } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: the number of steps of the script taken so far. */
export const programsRunInOrder: Law = {
  name: 'trampoline/programs-run-in-order',
  sentence:
    'Programs run newest first: all fentry, then fmod_ret until one returns a value, the original, all fexit.',
  source: 'kernel/bpf/trampoline.c  bpf_trampoline_get_progs',
  premise: ({ request }) => request.programs.length > 1,
  witness: 'two or more programs attached',
  on: {
    enter: (memory, event, subject) => takeStep(memory, event, subject, programAt(event, 2, subject)),
    original: (memory, event, subject) => takeStep(memory, event, subject, ORIGINAL_STEP),
    program: (memory, event, subject) =>
      stopsTheCall(event, subject) ? scriptOf(subject).indexOf(ORIGINAL_STEP) + 1 : memory,
  },
  conclude: (memory, _end, subject) => {
    const script = scriptOf(subject);
    if (memory === script.length) return undefined;
    return {
      finding: {
        is: 'step-is-another',
        expected: stepOf(subject, script[memory]),
        observed: { is: 'return' },
      },
    };
  },
};

/** The step of the script at which the original runs; the others are program numbers. */
const ORIGINAL_STEP = -1;

function takeStep(memory: number, event: StageEvent, subject: Subject, step: number): number | FoundInImage {
  const wanted = scriptOf(subject)[memory];
  if (wanted === step) return memory + 1;
  const [expected, observed] = [stepOf(subject, wanted), stepOf(subject, step)];
  return foundAt(event, { is: 'step-is-another', expected, observed });
}

/** The steps that a contract requires; cached, since they are needed at every event. */
function scriptOf({ contract }: Subject): readonly number[] {
  let script = SCRIPTS.get(contract);
  if (script === undefined) {
    const { fentry, fmodRet, fexit } = contract.lists;
    const original = contract.isMember ? [] : [ORIGINAL_STEP];
    script = [...fentry.map(numberOf), ...fmodRet.map(numberOf), ...original, ...fexit.map(numberOf)];
    SCRIPTS.set(contract, script);
  }
  return script;
}

const SCRIPTS = new WeakMap<object, readonly number[]>();

function numberOf({ id }: BpfProgram): number {
  return id;
}

/** After the script comes the return. */
function stepOf(subject: Subject, step: number | undefined): ToldStep {
  if (step === undefined) return { is: 'return' };
  if (step === ORIGINAL_STEP) return { is: 'original' };
  return { is: 'program', program: toldProgram(subject, step) };
}

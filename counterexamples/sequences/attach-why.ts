import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { NearPlays } from '../../checker/sequences/near-plays.ts';
import type { Step } from '../../checker/sequences/played.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { InputError } from '../../model/core/input-error.ts';
import { otherKernels } from '../../model/core/profile.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { Act, BreachCause, OtherVerdict, Parting } from '../../properties/finding/why.ts';
import { causeElsewhere } from '../../properties/finding/why.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';
import { changeDifference, stateDifference } from '../state-difference.ts';
import { answerOf } from './attach-report.ts';
import { delta, namedAsIn } from './delta.ts';

/** What makes the difference to the kernel without the planted bug. */
export function whyPlantedSequence(planted: AttachPlanted, c: AttachCase, here: StepsBy): BreachCause {
  const program = KERNEL_PROGRAM;
  const steps = stepsOf(c, program, here.steps.length);
  return {
    is: 'planted',
    sentence: planted.sentence,
    parting: partingOfSteps(here, { steps, program }),
  };
}

/** Whether the other kernels break the law as well, and what the first one that does not has instead. */
export function whyOnlyHere(c: AttachCase, steps: readonly Step[], plays: NearPlays): BreachCause {
  const kernels = otherKernels(c.profile);
  return causeElsewhere(
    kernels.map(({ kernel, profile }) => ({ kernel, verdict: verdictOf({ ...c, profile }, plays) })),
    (holding) => {
      const other = kernels.find(({ kernel }) => kernel === holding);
      if (other === undefined) return undefined;
      const there = stepsOf({ ...c, profile: other.profile }, KERNEL_PROGRAM, steps.length);
      const program = KERNEL_PROGRAM;
      return partingOfSteps({ steps, program }, { steps: there, program });
    },
  );
}

function verdictOf(c: AttachCase, plays: NearPlays): OtherVerdict['verdict'] {
  try {
    return plays.newBreach(c) === undefined ? 'holds' : 'breaks';
  } catch (error) {
    if (error instanceof InputError) return 'lacks';
    throw error;
  }
}

/** Steps, and the program of the kernel that took them. */
interface StepsBy {
  readonly steps: readonly Step[];
  readonly program: KernelProgram;
}

interface StepBy {
  readonly step: Step;
  readonly program: KernelProgram;
}

/** The first step that another kernel answers otherwise, shows to other clients, or leaves otherwise. */
function partingOfSteps(here: StepsBy, there: StepsBy): Parting | undefined {
  for (const [i, step] of here.steps.entries()) {
    const other = there.steps[i];
    if (other === undefined) return undefined;
    const found = differenceOf({ step, program: here.program }, { step: other, program: there.program });
    if (found !== undefined) return { step: i + 1, actor: undefined, here: found[0], there: found[1] };
  }
  return undefined;
}

function differenceOf(
  { step: here, program }: StepBy,
  { step: there, program: itsProgram }: StepBy,
): readonly [here: Act, there: Act] | undefined {
  const pairs = [
    [answered(here), answered(there)],
    [called(here), called(there)],
  ] as const;
  const own = delta(here.before, here.after);
  const its = namedAsIn(here.after, there.after, delta(there.before, there.after));
  const isSameKernel = here.after.profile === there.after.profile;
  return (
    pairs.find(([own, its]) => JSON.stringify(own) !== JSON.stringify(its)) ??
    changeDifference(own, its) ??
    (isSameKernel
      ? stateDifference({ kernel: here.after, program }, { kernel: there.after, program: itsProgram })
      : undefined)
  );
}

function answered({ action, outcome }: Step): Act {
  return { is: 'answer', answer: answerOf(action, outcome) };
}

function called({ outcome: { call } }: Step): Act {
  const events = call?.events.filter(({ kind }) => kind !== 'body') ?? [];
  return { is: 'calls', who: events.map(({ who }) => who) };
}

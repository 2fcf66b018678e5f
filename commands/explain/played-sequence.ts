import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { AttachBreach, Step } from '../../checker/sequences/played.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { divergenceFromSaid } from '../../counterexamples/sequences/attach-replay.ts';
import { readOwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { lawIn } from '../../counterexamples/trace-kind.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';

/** A sequence of client calls of a file, played in one kernel. */
export interface PlayedCalls {
  readonly case: AttachCase;
  readonly program: KernelProgram;
  /** The planted bug and the law that the file names. */
  readonly planted: string | undefined;
  readonly law: string | undefined;
  readonly steps: readonly Step[];
  /** Why the run differs from the one in the file; undefined: it does not. */
  readonly diverged: string | undefined;
}

/** Plays a file in each kernel that it is for. */
export function playSequence(text: string): readonly PlayedCalls[] {
  const { cases, planted, answers } = readOwnSequence(text);
  const program = plantedKernel(plantedIn(ATTACH_PLANTED, planted));
  return cases.map((c) => {
    const steps = stepsOf(c, program);
    return {
      case: c,
      program,
      planted,
      law: lawIn(text),
      steps,
      diverged: divergenceFromSaid(steps, answers),
    };
  });
}

/** The breach of the law that the file names. */
export function namedStepBreach({ case: c, program, law: name }: PlayedCalls): AttachBreach | undefined {
  const law = [...ATTACH_LAWS, ...HIT_LAWS].find((law) => law.name === name);
  return law === undefined ? undefined : runSequence(c, { laws: [law], program }).breach;
}

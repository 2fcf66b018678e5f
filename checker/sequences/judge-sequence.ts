import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { callOf } from '../../model/client/all.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { AttachCase } from './attach-case.ts';
import type { KnownAttachBreach } from './known-breach.ts';
import type { AttachBreach, Step } from './run-sequence.ts';
import { runSequence, stepsOf } from './run-sequence.ts';

/** What laws say of one sequence that somebody has written. */
export interface JudgedSequence {
  readonly case: AttachCase;
  /** Up to its end, or to where the kernel dies. */
  readonly steps: readonly Step[];
  readonly broken: readonly BrokenLaw[];
  /** Those that were put to the test and held; the others had no say. */
  readonly held: readonly AttachLaw[];
}

/** A law that a sequence breaks, where it does so first. */
export interface BrokenLaw {
  readonly law: AttachLaw;
  readonly breach: AttachBreach;
  /** The listed breach that it is; undefined: it is new. */
  readonly known: KnownAttachBreach | undefined;
}

export interface SequenceQuestion {
  readonly laws: readonly AttachLaw[];
  readonly known: readonly KnownAttachBreach[];
  readonly program?: KernelProgram;
}

/** Asks each law by itself: a breach of one does not hide that of another. */
export function judgeSequence(c: AttachCase, { laws, known, program }: SequenceQuestion): JudgedSequence {
  const broken: BrokenLaw[] = [];
  const held: AttachLaw[] = [];
  for (const law of laws) {
    const question = { laws: [law], program: program ?? KERNEL_PROGRAM };
    const { breach, witnesses } = runSequence(c, question);
    if (breach !== undefined)
      broken.push({ law, breach, known: runSequence(c, { ...question, known }).known });
    else if (witnesses.has(law)) held.push(law);
  }
  return { case: c, steps: untilItDies(stepsOf(c, program)), broken, held };
}

function untilItDies(steps: readonly Step[]): readonly Step[] {
  const end = steps.findIndex(({ outcome }) => outcome.died !== undefined);
  return end < 0 ? steps : steps.slice(0, end + 1);
}

/** The first call that a kernel does not have; undefined: it has all of them. */
export function missingCall({ profile, actions }: AttachCase): AttachCase['actions'][number] | undefined {
  return actions.find((action) => callOf(action).inKernel?.({ profile }) === false);
}

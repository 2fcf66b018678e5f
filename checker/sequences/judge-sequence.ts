import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { callOf } from '../../model/client/all.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { AttachCase } from './attach-case.ts';
import type { KnownAttachBreach } from './known-breach.ts';
import type { AttachBreach, Step } from './run-sequence.ts';
import { runSequence, stepsOf } from './run-sequence.ts';

/** What laws say of one sequence that somebody has written. */
export interface JudgedSequence<K extends KnownAttachBreach> {
  readonly case: AttachCase;
  /** Up to its end, or to where the kernel dies. */
  readonly steps: readonly Step[];
  readonly broken: readonly BrokenLaw<K>[];
  /** Those that were put to the test and held; the others had no say. */
  readonly held: readonly AttachLaw[];
}

/** A law that a sequence breaks: where it does so first in a way that ends it, or last in one that it goes on after. */
export interface BrokenLaw<K extends KnownAttachBreach> {
  readonly law: AttachLaw;
  readonly breach: AttachBreach;
  /** The listed breach that it is; undefined: it is new. */
  readonly known: K | undefined;
}

interface SequenceQuestion<K> {
  readonly laws: readonly AttachLaw[];
  readonly known: readonly K[];
  readonly program: KernelProgram;
}

/** Asks each law by itself: a breach of one does not hide that of another. */
export function judgeSequence<K extends KnownAttachBreach>(
  c: AttachCase,
  { laws, known, program }: SequenceQuestion<K>,
): JudgedSequence<K> {
  const broken: BrokenLaw<K>[] = [];
  const held: AttachLaw[] = [];
  for (const law of laws) {
    const run = runSequence(c, { laws: [law], known, program });
    if (run.breach !== undefined)
      broken.push({ law, breach: run.breach, known: known.find((entry) => entry === run.known) });
    else if (run.witnesses.has(law)) held.push(law);
  }
  return { case: c, steps: untilItDies(stepsOf(c, program)), broken, held };
}

function untilItDies(steps: readonly Step[]): readonly Step[] {
  const end = steps.findIndex(({ outcome }) => outcome.died !== undefined);
  return end < 0 ? steps : steps.slice(0, end + 1);
}

/** The first call that a kernel does not have; undefined: it has all of them. */
export function absentCall({ profile, actions }: AttachCase): AttachCase['actions'][number] | undefined {
  return actions.find((action) => callOf(action).inKernel?.({ profile }) === false);
}

import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { JudgedSequence } from '../../checker/sequences/judge-sequence.ts';
import { absentCall, judgeSequence } from '../../checker/sequences/judge-sequence.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { KnownAttach } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { divergenceFromSaid } from '../../counterexamples/sequences/attach-replay.ts';
import type { OwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { readOwnSequence } from '../../counterexamples/sequences/own-sequence.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';

/** A user's sequence, judged on the kernel that it names, and the same calls on the others. */
export interface JudgedFile {
  readonly planted: string | undefined;
  /** On the kernel that it names, or on each. */
  readonly judged: readonly JudgedInKernel[];
  /** Of a file for all kernels those that lack a call. */
  readonly lacking: OwnSequence['lacking'];
  /** The line of each action in the file, from 1. */
  readonly lines: OwnSequence['lines'];
  /** By law and kernel, for laws that are broken somewhere. */
  readonly elsewhere: ReadonlyMap<AttachLaw, readonly Elsewhere[]>;
}

export interface JudgedInKernel extends JudgedSequence<KnownAttach> {
  /** How it differs from what the file says; undefined: it does not, or the file has no answers. */
  readonly diverged: string | undefined;
}

/** The result in one kernel of a law that is broken in another. */
export interface Elsewhere {
  readonly profile: string;
  readonly is: 'broken' | 'held' | 'not applicable' | 'not checked';
  /** Why it was not checked: the call that this kernel does not have. */
  readonly lacks?: string;
}

/** Reads a sequence and judges it by all laws; a problem with the file is an InputError. */
export function judgeText(text: string): JudgedFile {
  const { isForAll, cases, planted, lacking, answers, lines } = readOwnSequence(text);
  const [c] = cases;
  const program = plantedKernel(plantedIn(ATTACH_PLANTED, planted));
  const question = { laws: lawsOf(c), known: planted === undefined ? KNOWN_ATTACH : [], program };
  const missing = isForAll ? undefined : absentCall(c);
  if (missing !== undefined) throw new InputError(`kernel ${c.profile} has no ${missing.do}()`);
  const judged = cases.map((own) => {
    const verdict = judgeSequence(own, question);
    return {
      ...verdict,
      idle: verdict.idle.filter(({ index }) => (answers[index] ?? '') === ''),
      diverged: divergenceFromSaid(verdict.steps, answers),
    };
  });
  const broken = new Set(judged.flatMap((own) => own.broken.map(({ law }) => law)));
  const elsewhere = new Map(
    [...broken].map((law) => [
      law,
      KERNELS.filter((kernel) => !judged.some((own) => own.case.profile === kernel)).map((profile) =>
        fareOf({ ...c, profile }, law, program),
      ),
    ]),
  );
  return { planted, judged, lacking, lines, elsewhere };
}

/** Laws of tracepoints are checked where there are some, and the others where there are functions. */
export function lawsOf({ functions, tracepoints = [] }: AttachCase): readonly AttachLaw[] {
  return [...(functions.length > 0 ? ATTACH_LAWS : []), ...(tracepoints.length > 0 ? HIT_LAWS : [])];
}

function fareOf(c: AttachCase, law: AttachLaw, program: ReturnType<typeof plantedKernel>): Elsewhere {
  const missing = absentCall(c);
  if (missing !== undefined) return { profile: c.profile, is: 'not checked', lacks: missing.do };
  const { breach, witnesses } = runSequence(c, { laws: [law], program });
  const is = breach !== undefined ? 'broken' : witnesses.has(law) ? 'held' : 'not applicable';
  return { profile: c.profile, is };
}

import type { AttachCase } from '../checker/sequences/attach-case.ts';
import { judgeSequence } from '../checker/sequences/judge-sequence.ts';
import { simplify } from '../checker/sequences/shrink/simplify.ts';
import { lawsOf } from '../commands/judge/judge.ts';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { answerOf } from '../counterexamples/sequences/attach-report.ts';
import { parseSequence as parseFile, printSequenceFile } from '../counterexamples/sequences/attach-trace.ts';
import { KERNEL_PROGRAM } from '../model/step.ts';
import { rendered } from '../properties/finding/render.ts';
import type { AttachLaw } from '../properties/law/sequence-law.ts';

/**
 * Calls of clients in one kernel: its profile (`6.12`, `6.12, multiLinks = batch`), its functions, and the
 * actions in order. Plain data.
 */
export type Sequence = AttachCase;

/** A law that was broken. */
export interface ToldBreach {
  /** `ftrace/probes-fire-exactly-once`. */
  readonly law: string;
  /** The step that shows it, from 1. */
  readonly step: number;
  /** For people: no code reads them. */
  readonly expected: string;
  readonly observed: string;
  /** The name of the listed breach of a real kernel; undefined: it is new. */
  readonly known: string | undefined;
}

/** The verdict of all laws on a sequence. */
export interface Verdict {
  /**
   * The answer to each step: `0`, `-EBUSY`, `dies`; empty for a step that returns nothing. Ends where the
   * kernel crashes.
   */
  readonly answers: readonly string[];
  readonly broken: readonly ToldBreach[];
  /** Names of the laws that were exercised and held; all others were not applicable. */
  readonly held: readonly string[];
}

/** Reads a sequence in the language of `docs/traces.md`. Throws an InputError with line and column. */
export function parseSequence(text: string): Sequence {
  return parseFile(text).case;
}

/** The text of a sequence, which `parseSequence()` reads; with the expected answer of each step, if given. */
export function printSequence(sequence: Sequence, answers: readonly string[] = []): string {
  return printSequenceFile(sequence, answers);
}

/**
 * Plays a sequence once for each law, so that a breach of one does not hide that of another. Checks all laws
 * on sequences, registered ones included, or those that are given. Throws an InputError for an unknown
 * kernel.
 */
export function judge(sequence: Sequence, laws: readonly AttachLaw[] = lawsOf(sequence)): Verdict {
  const question = { laws, known: KNOWN_ATTACH, program: KERNEL_PROGRAM };
  const { steps, broken, held } = judgeSequence(sequence, question);
  return {
    answers: steps.map(({ action, outcome }) => answerOf(action, outcome)),
    broken: broken.map(({ law, breach, known }) => ({
      law: law.name,
      step: breach.at + 1,
      ...rendered(breach.finding),
      known: known?.name,
    })),
    held: held.map(({ name }) => name),
  };
}

/**
 * The simplest failing sequence that can be reached from one that fails: shrunk by the meaning of its
 * actions, not by how it was drawn. `fails` is called hundreds of times, must be deterministic, and must hold
 * for the first sequence.
 */
export function shrink(sequence: Sequence, fails: (sequence: Sequence) => boolean): Sequence {
  if (!fails(sequence)) throw new Error('the sequence to shrink does not fail');
  return simplify(sequence, fails);
}

import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { callOf } from '../../model/client/all.ts';
import { isMisuse } from '../../model/misuse.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { AttachCase } from './attach-case.ts';
import type { KnownAttachBreach } from './known-breach.ts';
import type { AttachBreach, Step } from './played.ts';
import { runSequence } from './run-sequence.ts';
import { stepsOf } from './steps-of.ts';

/** The verdict of the laws on a user's sequence. */
export interface JudgedSequence<K extends KnownAttachBreach> {
  readonly case: AttachCase;
  /** Up to its end, or to where the kernel crashes. */
  readonly steps: readonly Step[];
  readonly broken: readonly BrokenLaw<K>[];
  /** Those that were exercised and held; the others were not applicable. */
  readonly held: readonly AttachLaw[];
  readonly idle: readonly IdleStep[];
}

/** A law that a sequence breaks: its first breach that ends the sequence, or its last that does not. */
export interface BrokenLaw<K extends KnownAttachBreach> {
  readonly law: AttachLaw;
  readonly breach: AttachBreach;
  /** The listed breach that it is; undefined: it is new. */
  readonly known: K | undefined;
  /** An earlier listed breach of another law, which may have caused a new one. */
  readonly behind: { readonly known: K; readonly index: number } | undefined;
}

/** A step without effect. */
export interface IdleStep {
  readonly index: number;
  readonly why: 'no client does that' | 'nothing failed';
}

interface SequenceQuestion<K> {
  readonly laws: readonly AttachLaw[];
  readonly known: readonly K[];
  readonly program: KernelProgram;
}

/** Checks each law by itself: a breach of one does not hide that of another. */
export function judgeSequence<K extends KnownAttachBreach>(
  c: AttachCase,
  { laws, known, program }: SequenceQuestion<K>,
): JudgedSequence<K> {
  const broken: Omit<BrokenLaw<K>, 'behind'>[] = [];
  const held: AttachLaw[] = [];
  for (const law of laws) {
    const run = runSequence(c, { laws: [law], known, program });
    if (run.breach !== undefined)
      broken.push({ law, breach: run.breach, known: known.find((entry) => entry === run.known) });
    else if (run.witnesses.has(law)) held.push(law);
  }
  const steps = untilItDies(stepsOf(c, program));
  return {
    case: c,
    steps,
    broken: broken.map((own) => ({ ...own, behind: own.known ? undefined : inFrontOf(own, broken) })),
    held,
    idle: idleSteps(steps),
  };
}

/** The first listed breach that corrupts the state, no later than a new one: a random search ends there. */
function inFrontOf<K extends KnownAttachBreach>(
  { breach }: Pick<BrokenLaw<K>, 'breach'>,
  all: readonly Pick<BrokenLaw<K>, 'breach' | 'known'>[],
): BrokenLaw<K>['behind'] {
  const [first] = all
    .flatMap(({ known, breach: { at: index } }) =>
      known === undefined || known.goesOn === true || index > breach.at ? [] : [{ known, index }],
    )
    .toSorted((a, b) => a.index - b.index);
  return first;
}

function idleSteps(steps: readonly Step[]): IdleStep[] {
  const refused = steps.flatMap(({ before, action }, index): IdleStep[] =>
    isMisuse(before, action) ? [{ index, why: 'no client does that' }] : [],
  );
  const last = steps.at(-1);
  if (last === undefined || last.after.fault === null || last.outcome.died !== undefined) return refused;
  return [
    ...refused,
    { index: steps.findLastIndex(({ action }) => action.do === 'fail'), why: 'nothing failed' },
  ];
}

/** The steps up to the one in which the kernel crashes. */
export function untilItDies(steps: readonly Step[]): readonly Step[] {
  const end = steps.findIndex(({ outcome }) => outcome.died !== undefined);
  return end < 0 ? steps : steps.slice(0, end + 1);
}

/** The first call that a kernel does not have; undefined: it has all of them. */
export function absentCall({ profile, actions }: AttachCase): AttachCase['actions'][number] | undefined {
  return actions.find((action) => callOf(action).inKernel?.({ profile }) === false);
}

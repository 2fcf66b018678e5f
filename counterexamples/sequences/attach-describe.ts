import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { KnownAttachBreach } from '../../checker/sequences/known-breach.ts';
import { isListed } from '../../checker/sequences/known-breach.ts';
import { NearPlays } from '../../checker/sequences/near-plays.ts';
import type { AttachBreach, AttachQuestion, Step } from '../../checker/sequences/played.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { isSame } from '../../properties/finding/same.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';
import { CORPUS } from '../corpus-folder.ts';
import { boundOption } from '../default-bounds.ts';
import { pathOf } from '../images/describe.ts';
import { shellWord } from '../text.ts';
import type { FoundHeader } from '../trace-file.ts';
import { LISTED_BUGS, printFound } from '../trace-file.ts';
import { whatDoesNotMatterHere } from './attach-narrow.ts';
import { answerOf, printAttachReport } from './attach-report.ts';
import type { AttachTrace } from './attach-trace.ts';
import { whyOnlyHere, whyPlantedSequence } from './attach-why.ts';

/** The origin of a broken sequence. */
export interface AttachOrigin extends FoundHeader {
  readonly planted: AttachPlanted | undefined;
  /** The name of the listed breach that it is an example of. */
  readonly known?: string | undefined;
  /** The search that found it; without it, one of its law alone in its kernel. */
  readonly search?: Searched;
  /** Listed breaches: a shorter sequence that shows one of them is no shorter example of a new one. */
  readonly listed?: readonly KnownAttachBreach[];
}

/** What another search has to have in common with one to draw the same sequences. */
export interface Searched {
  readonly profile: string;
  /** A law that it judges as well, so that kernels have functions beside tracepoints. */
  readonly beside?: string | undefined;
}

/** A broken sequence with its report, as printed and saved. */
export interface AttachCounterexample {
  readonly trace: AttachTrace;
  readonly breach: AttachBreach;
  /** Where it is or would be saved, below the corpus. */
  readonly path: string;
}

/** Plays a sequence again and describes how it breaks a law; undefined when it does not. `played`: its steps, if known. */
export function describeSequence(
  c: AttachCase,
  law: AttachLaw,
  origin: AttachOrigin,
  played?: readonly Step[],
): AttachCounterexample | undefined {
  const program = plantedKernel(origin.planted);
  const question = { laws: [law], program };
  const all = new NearPlays(c, question);
  const plays = newOnes(c, question, origin) ?? all;
  const breach = plays.newBreach(c);
  if (breach === undefined) return undefined;
  const { known } = origin;
  const path = known === undefined ? pathOf(law.name, origin.planted?.name) : `known/${known}.trace`;
  const steps = played?.slice(0, breach.at + 1) ?? stepsOf(c, program, breach.at + 1);
  const fails = (candidate: AttachCase) => plays.newBreach(candidate) !== undefined;
  const report = printAttachReport({
    case: c,
    steps,
    breach,
    shrunkFrom: origin.drawn,
    planted: origin.planted?.name,
    known,
    why:
      origin.planted === undefined
        ? whyOnlyHere(c, steps, all)
        : whyPlantedSequence(origin.planted, c, { steps, program }),
    narrow: whatDoesNotMatterHere(c, fails),
    minimal: minimality(c, plays, (other) => isSame(other.finding, breach.finding) && isOf(origin, other)),
    replay: `npm run check -- replay ${CORPUS}/${path}`,
    search: searchLine(c, law, origin),
  });
  const answers = steps.map(({ action, outcome }) => answerOf(action, outcome));
  const found = printFound(origin);
  return {
    trace: { case: c, law: law.name, planted: origin.planted?.name, known, found, answers, report },
    breach,
    path,
  };
}

/** Where a sequence breaks the law in a way that is not listed, those near it that do so too; undefined: it does not. */
function newOnes(
  c: AttachCase,
  question: AttachQuestion,
  { planted, known, listed }: AttachOrigin,
): NearPlays | undefined {
  if (planted !== undefined || known !== undefined || listed === undefined) return undefined;
  const plays = new NearPlays(c, { ...question, known: listed });
  return plays.newBreach(c) === undefined ? undefined : plays;
}

/** Whether a breach has the cause that a listed one is an example of. */
function isOf({ known, listed = [] }: AttachOrigin, breach: AttachBreach): boolean {
  const entry = listed.find(({ name }) => name === known);
  return entry === undefined || isListed(entry, breach);
}

/**
 * The knowledge of shorter breaches: every sequence with one action less has been tried. It may break the law in
 * another way, which includes a listed breach, or the same way for another listed cause.
 */
function minimality(
  c: AttachCase,
  plays: NearPlays,
  isSameBreach: (breach: AttachBreach) => boolean,
): string {
  const breaches = c.actions.flatMap((_, i) => plays.withoutAction(i) ?? []);
  const needless = breaches.filter(isSameBreach).length;
  if (needless > 0) return `${needless} of ${c.actions.length} actions can be left out one at a time`;
  const others = breaches.length;
  if (others === 0) return 'no action can be left out';
  return `no action can be left out; without ${others} of ${c.actions.length} there is another breach`;
}

/** The command that draws near some sequences, if those are what is drawn. */
function nearWords(near: string | undefined): string {
  if (near === undefined) return '';
  return near === LISTED_BUGS ? 'near ' : `near ${near} `;
}

function searchLine(
  { profile }: AttachCase,
  law: AttachLaw,
  { planted, seed, number, exhaustively, near, search = { profile } }: AttachOrigin,
): string | undefined {
  if (exhaustively !== undefined) return `npm run check -- ${exhaustively}`;
  if (seed === undefined) return undefined;
  const bug = planted === undefined ? '' : ` --planted ${planted.name}`;
  const laws = search.beside === undefined ? law.name : `${law.name},${search.beside}`;
  return `npm run check -- ${nearWords(near)}--law ${laws}${bug} --kernel ${shellWord(search.profile)} --seed ${seed}${boundOption('--sequences', number)}`;
}

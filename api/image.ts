import { observeCase } from '../checker/explain/observe-case.ts';
import { benchFor } from '../checker/images/bench.ts';
import type { ImageCase } from '../checker/images/case.ts';
import { runCase } from '../checker/images/case.ts';
import { excuseFor } from '../checker/images/known-breach.ts';
import type { Besides } from '../checker/images/verdict.ts';
import { judgeBesides } from '../checker/images/verdict.ts';
import { imageBytes, judgeStaged, locateBrought, stageBrought } from '../commands/image/brought.ts';
import { parseSymbols } from '../commands/image/symbols.ts';
import { caseOf } from '../commands/line/options.ts';
import { KNOWN } from '../conformance/known/known.ts';
import { listImage, printListed } from '../counterexamples/images/excerpt.ts';
import type { CallEvent } from '../model/core/event.ts';
import type { AttachRefusal } from '../model/trampoline/attach.ts';
import type { Stage } from '../model/trampoline/stage/stage.ts';
import { rendered } from '../properties/finding/render.ts';
import type { Law } from '../properties/law/image-law.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import type { Subject } from '../properties/observed/subject.ts';
import type { ToldBreach } from './sequence.ts';

/** The programs attached to a function, and the kernel: the options of `attachcheck image`. */
export interface Combination {
  /** `6.1`, `6.12` or `7.2`. */
  readonly kernel: string;
  /** `u64, u32 -> u64`. */
  readonly signature: string;
  /** In order of attachment: `fentry, fexit cookie=0x1`. */
  readonly programs: string;
  /** The boot configuration; default: `default`. */
  readonly boot?: string;
  /** Whether the function begins with `endbr64`; default: as the recorded build of that kernel. */
  readonly ibt?: boolean;
  readonly livePatch?: boolean;
  readonly tailCalls?: boolean;
}

/** A trampoline image that can be called. */
export interface TrampolineImage {
  readonly bytes: Uint8Array;
  /** Its instructions as text, a line each. */
  readonly listing: readonly string[];
  /**
   * How a supplied image differs from the model's, in half a sentence; undefined: it does not, or it is the
   * model's.
   */
  readonly difference: string | undefined;
  /** Where it is located, and how it is judged. */
  readonly staged: StagedImage;
}

/** Opaque: what `executeImage()` and `judgeImage()` need. */
export interface StagedImage {
  readonly stage: Stage;
  readonly subject: Subject;
  readonly judge: (laws: readonly Law[]) => Besides;
}

/** The kernel refuses: which program, at which system call, with which errno. */
export interface NoImage {
  readonly refused: AttachRefusal;
}

/**
 * The image that a kernel generates when these programs are attached; if one is refused, the image of those
 * before it. Throws an InputError for text that it cannot parse.
 */
export function generateImage(combination: Combination): TrampolineImage | NoImage {
  const bench = benchFor(undefined);
  const { attempt, subject } = runCase(bench, combinationOf(combination), { laws: [], known: [] });
  if (subject === undefined) return { refused: attempt.refusal! };
  const judge = (laws: readonly Law[]) =>
    judgeBesides(bench.stage, subject, laws, excuseFor(KNOWN, subject, undefined));
  return imageOf({ stage: bench.stage, subject, judge }, undefined);
}

/**
 * A supplied image: a file with its bytes, raw or in hexadecimal, and JSON that names the addresses around it
 * (`docs/images.md`). Throws an InputError for content that it cannot parse or an address without a name, and
 * an UnmatchedImage when the image does not call the programs given as attached.
 */
export function readImage(content: Uint8Array, symbols: string, combination: Combination): TrampolineImage {
  const c = combinationOf(combination);
  const own = {
    bytes: imageBytes(content, 'image'),
    symbols: parseSymbols(symbols, 'symbols'),
    symbolsFile: 'symbols',
    case: c,
  };
  const staged = stageBrought(own, locateBrought(own));
  const { stage, subject, identity } = staged;
  return imageOf({ stage, subject, judge: (laws) => judgeStaged(staged, c, laws) }, identity.difference);
}

function combinationOf({ signature, programs, boot = 'default', ...rest }: Combination): ImageCase {
  return caseOf({ ...rest, boot, sig: signature, kinds: programs });
}

function imageOf(staged: StagedImage, difference: string | undefined): TrampolineImage {
  const { bytes } = staged.subject;
  return { bytes, listing: listImage(staged.subject).map(printListed), difference, staged };
}

/**
 * The events that clients see in one call through an image, in order, and why the call does not return, in
 * one sentence.
 */
export interface ExecutedImage {
  readonly events: readonly CallEvent[];
  readonly fault: string | undefined;
}

/**
 * Calls the function through its image, instruction by instruction; entry handlers answer, and programs
 * return zero.
 */
export function executeImage({ staged: { stage, subject } }: TrampolineImage): ExecutedImage {
  const { moments, fault } = observeCase(stage, subject, []);
  return { events: moments.flatMap(({ events }) => events), fault };
}

/** The verdict of the laws on an image, on all paths and for all argument values. */
export interface ImageJudged {
  /** Paths that were followed, each for all argument values. */
  readonly paths: bigint;
  readonly broken: Omit<ToldBreach, 'step' | 'known'> | undefined;
  /** Names of the listed breaches of real kernels that were met and set aside. */
  readonly known: readonly string[];
  /** Names of the laws whose premise it meets. */
  readonly asked: readonly string[];
}

/** Follows every path through an image, and through each form that it can be patched into. */
export function judgeImage({ staged }: TrampolineImage, laws: readonly Law[] = IMAGE_LAWS): ImageJudged {
  const { verdict, known } = staged.judge(laws);
  const { breach, paths } = verdict;
  return {
    paths,
    broken: breach && { law: breach.law.name, ...rendered(breach.finding) },
    known: known.map(({ name }) => name),
    asked: laws.filter((law) => law.premise(staged.subject)).map(({ name }) => name),
  };
}

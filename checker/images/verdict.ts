import { withoutProgram } from '../../model/contract/contract.ts';
import { item } from '../../model/core/present.ts';
import type { PatchPoint } from '../../model/trampoline/generate.ts';
import { setSessions } from '../../model/trampoline/stage/cells.ts';
import { installImage } from '../../model/trampoline/stage/install.ts';
import { callWith } from '../../model/trampoline/stage/prepare.ts';
import type { PreparedCall, Stage } from '../../model/trampoline/stage/stage.ts';
import type { Finding, Law } from '../../properties/law/image-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { patchPointsAreSafe } from '../../properties/trampoline/patch-points-are-safe.ts';
import { lookingSessions } from '../../properties/trampoline/session-cookie-is-its-own.ts';
import type { Breach } from './paths.ts';
import { followPaths } from './paths.ts';
import { watchReturns } from './segment.ts';

/** What checking one image against some laws showed. */
export interface ImageVerdict {
  /** Paths to the return over the image as it is and over each way to patch it, for all argument values. */
  readonly paths: bigint;
  /** Places that the paths went through, each followed once. */
  readonly states: number;
  readonly breach: Breach | undefined;
  /** What ended a run in a way that none of the laws looked at forbids; the rest of that path was not seen. */
  readonly unfinished: string | undefined;
}

/**
 * Checks an image: by looking at it, by every path through it, and by every path through its patched forms.
 * Laws that are set aside are not asked in patched forms either.
 */
export function judge(
  stage: Stage,
  subject: Subject,
  laws: readonly Law[],
  aside: readonly Law[] = [],
): ImageVerdict {
  const asked = without(laws, aside);
  for (const law of asked) {
    const finding = law.inspect?.(subject);
    if (finding !== undefined)
      return {
        paths: 0n,
        states: 0,
        breach: { law, finding, path: [], writer: undefined, left: undefined },
        unfinished: undefined,
      };
  }
  const call = callWith(stage, subject.contract.slots);
  const whole = follow(stage, subject, call, asked);
  if (whole.breach !== undefined || !asked.includes(patchPointsAreSafe)) return whole;
  const inPatched = without(IMAGE_LAWS, aside);
  return patchedToo({ stage, subject, call, laws: inPatched }, whole);
}

/** The same list when nothing is taken out, so that what is known of it is found again. */
function without(laws: readonly Law[], aside: readonly Law[]): readonly Law[] {
  return aside.length === 0 ? laws : laws.filter((law) => !aside.includes(law));
}

/** The known breach that a finding is, or without a finding, one that a subject may show of a law. */
export type Excuse<Known> = (law: Law, finding?: Finding) => Known | undefined;

/**
 * Checks an image with the breaches set aside that are known: each is noted, and the image is checked again
 * without the law, so that nothing hides behind it. A law that is not asked, but would be asked of a patched
 * image, is set aside from the start where it may be broken in a known way.
 */
export function judgeBesides<Known>(
  stage: Stage,
  subject: Subject,
  laws: readonly Law[],
  excuse: Excuse<Known>,
): Besides<Known> {
  const aside = IMAGE_LAWS.filter((law) => !laws.includes(law) && excuse(law) !== undefined);
  const known: Known[] = [];
  for (;;) {
    const verdict = judge(stage, subject, laws, aside);
    const excused = verdict.breach && excuse(verdict.breach.law, verdict.breach.finding);
    if (verdict.breach === undefined || excused === undefined) return { verdict, known };
    aside.push(verdict.breach.law);
    known.push(excused);
  }
}

export interface Besides<Known> {
  readonly verdict: ImageVerdict;
  /** The known breaches that were met, in the order of the laws. */
  readonly known: readonly Known[];
}

function follow(stage: Stage, subject: Subject, call: PreparedCall, laws: readonly Law[]): ImageVerdict {
  installImage(stage, subject.bytes, subject.entry, subject.stackWords);
  setSessions(stage, lookingSessions(subject));
  watchReturns(stage, subject);
  return followPaths(stage, subject, call, laws);
}

interface Judging {
  readonly stage: Stage;
  readonly subject: Subject;
  readonly call: PreparedCall;
  readonly laws: readonly Law[];
}

/** The image once more for each program that can be patched out of it. */
function patchedToo({ stage, subject, call, laws }: Judging, whole: ImageVerdict): ImageVerdict {
  let { paths, states, unfinished } = whole;
  for (const program of new Set(subject.patchPoints.map((point) => point.program))) {
    const points = subject.patchPoints.filter((point) => point.program === program);
    const bytes = patched(subject.bytes, points);
    const contract = withoutProgram(subject.contract, program);
    const result = follow(stage, { ...subject, bytes, contract }, call, laws);
    paths += result.paths;
    states += result.states;
    unfinished ??= result.unfinished;
    if (result.breach !== undefined)
      return { paths, states, unfinished, breach: underPatch(result.breach, item(points, 0)) };
  }
  return { paths, states, unfinished, breach: undefined };
}

/** The image with its nops replaced by `jmp rel32`. */
function patched(bytes: Uint8Array, points: readonly PatchPoint[]): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  for (const { offset, target } of points) {
    view.setUint8(offset, 0xe9);
    view.setInt32(offset + 1, target - offset - 5, true);
  }
  return copy;
}

function underPatch({ law, finding, ...where }: Breach, { offset, program }: PatchPoint): Breach {
  const skipped = program === 0 ? 'all fexit programs' : `prog#${program}`;
  const patch = `with ${skipped} patched out at tramp#1+0x${offset.toString(16)}`;
  const { expected, observed } = finding;
  const changed = { ...finding, expected: `${expected} (${law.name})`, observed: `${patch}: ${observed}` };
  return { ...where, law: patchPointsAreSafe, finding: changed };
}

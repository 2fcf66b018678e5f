import { withoutProgram } from '../../model/contract/contract.ts';
import { item } from '../../model/core/present.ts';
import type { PatchPoint } from '../../model/trampoline/generate.ts';
import { setSessions } from '../../model/trampoline/stage/cells.ts';
import { installImage } from '../../model/trampoline/stage/install.ts';
import { callWith } from '../../model/trampoline/stage/prepare.ts';
import type { PreparedCall, Stage } from '../../model/trampoline/stage/stage.ts';
import type { Law } from '../../properties/law/image-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { patchPointsAreSafe } from '../../properties/trampoline/patch-points-are-safe.ts';
import { lookingSessions } from '../../properties/trampoline/session-cookies-are-separate.ts';
import type { Excuse, Known } from './known-breach.ts';
import { placeOfKnown } from './known-breach.ts';
import type { Breach, Unfinished } from './paths.ts';
import { followPaths } from './paths.ts';
import { watchReturns } from './segment.ts';

/** The result of checking one image against some laws. */
export interface ImageVerdict {
  /** Paths to the return over the image as it is and over each way to patch it, for all argument values. */
  readonly paths: bigint;
  /** Places that the paths went through, each followed once. */
  readonly states: number;
  readonly breach: Breach | undefined;
  /** Why a run ended in a way that none of the checked laws forbids; the rest of that path was not followed. */
  readonly unfinished: Unfinished | undefined;
}

/** Whether a breach is known: then it is set aside, and the check continues. */
export type IsKnown = (breach: Breach) => boolean;

/** Checks an image: its bytes, every path through it, and every path through its patched forms. */
export function judge(
  stage: Stage,
  subject: Subject,
  laws: readonly Law[],
  isKnown: IsKnown = () => false,
): ImageVerdict {
  for (const law of laws) {
    const found = law.inspect?.(subject);
    if (found === undefined) continue;
    const breach = { law, ...found, path: [], writer: undefined, left: undefined };
    if (!isKnown(breach)) return { paths: 0n, states: 0, breach, unfinished: undefined };
  }
  const call = callWith(stage, subject.contract.slots);
  const whole = follow(subject, { stage, call, laws, isKnown });
  if (whole.breach !== undefined || !laws.includes(patchPointsAreSafe)) return whole;
  return patchedToo(subject, { stage, call, laws: IMAGE_LAWS, isKnown }, whole);
}

/** Checks an image with known breaches set aside: each is noted, and masks no other one. */
export function judgeBesides(stage: Stage, subject: Subject, laws: readonly Law[], excuse: Excuse): Besides {
  const known = new Set<Known>();
  const places = new Set<string>();
  const verdict = judge(stage, subject, laws, (breach) => {
    const entry = excuse(breach);
    if (entry === undefined) return false;
    if (laws.includes(breach.law)) known.add(entry);
    places.add(placeOfKnown(entry, breach));
    return true;
  });
  return { verdict, known: [...known], places };
}

export interface Besides {
  readonly verdict: ImageVerdict;
  /** The known breaches that were met of the checked laws, in their order. */
  readonly known: readonly Known[];
  /** All that were met, with their places. */
  readonly places: ReadonlySet<string>;
}

/** How a form of an image is followed. */
interface Following {
  readonly stage: Stage;
  readonly call: PreparedCall;
  readonly laws: readonly Law[];
  readonly isKnown: IsKnown;
}

function follow(subject: Subject, { stage, call, laws, isKnown }: Following): ImageVerdict {
  installImage(stage, subject.bytes, subject.entry, subject.stackWords);
  setSessions(stage, lookingSessions(subject));
  watchReturns(stage, subject);
  return followPaths(stage, subject, call, { laws, isKnown });
}

/**
 * The image again for each program that can be patched out of it. Known breaches of the image are known of its
 * patched forms; the paths of a form with a known breach of its own are not counted.
 */
function patchedToo(subject: Subject, how: Following, whole: ImageVerdict): ImageVerdict {
  let { paths, states, unfinished } = whole;
  for (const program of new Set(subject.patchPoints.map((point) => point.program))) {
    const points = subject.patchPoints.filter((point) => point.program === program);
    const bytes = patched(subject.bytes, points);
    const contract = withoutProgram(subject.contract, program);
    const asPatched = (breach: Breach) => underPatch(breach, item(points, 0));
    let isKnownPatched = false;
    const isKnown = (breach: Breach): boolean => {
      if (how.isKnown(breach)) return true;
      const known = how.isKnown(asPatched(breach));
      if (known) isKnownPatched = true;
      return known;
    };
    const result = follow({ ...subject, bytes, contract }, { ...how, isKnown });
    unfinished ??= result.unfinished;
    if (!isKnownPatched) {
      paths += result.paths;
      states += result.states;
    }
    if (result.breach !== undefined) return { paths, states, unfinished, breach: asPatched(result.breach) };
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
  const patched = { is: 'patched-image-breaks', law: law.name, skipped: program, offset, finding } as const;
  return { ...where, law: patchPointsAreSafe, finding: patched };
}

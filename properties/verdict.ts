import { withoutProgram } from '../model/contract.ts';
import type { PatchPoint } from '../model/trampoline/generate.ts';
import type { PreparedCall, Stage } from '../model/trampoline/stage/stage.ts';
import { installImage, prepareCall } from '../model/trampoline/stage/stage.ts';
import type { Law } from './law.ts';
import { IMAGE_LAWS } from './laws.ts';
import type { Breach, Paths } from './paths.ts';
import { followPaths } from './paths.ts';
import { watchReturns } from './segment.ts';
import type { Subject } from './subject.ts';
import { patchPointsAreSafe } from './trampoline/patch-points-are-safe.ts';

/** What checking one image against some laws showed. */
export interface Verdict {
  /** Paths to the return over the image as it is and over each way to patch it, for all argument values. */
  readonly paths: bigint;
  readonly states: number;
  readonly breach: Breach | undefined;
}

/** Checks an image: by looking at it, by every path through it, and by every path through its patched forms. */
export function judge(stage: Stage, subject: Subject, laws: readonly Law[]): Verdict {
  for (const law of laws) {
    const finding = law.inspect?.(subject);
    if (finding !== undefined) return { paths: 0n, states: 0, breach: { law, finding, path: [], writer: undefined } };
  }
  const call = callFor(stage, subject);
  const whole = follow(stage, subject, call, laws);
  if (whole.breach !== undefined || !laws.includes(patchPointsAreSafe)) return verdict(whole);
  return patchedToo(stage, subject, call, whole);
}

function verdict({ count, states, breach }: Paths): Verdict {
  return { paths: count, states, breach };
}

/** The caller's side of a call, the same for all images of one signature. */
function callFor(stage: Stage, { contract, stackWords }: Subject): PreparedCall {
  const key = JSON.stringify([contract.slots.map(({ place }) => place), stackWords]);
  const known = stage.calls.get(key);
  if (known !== undefined) return known;
  const call = prepareCall(stage, contract.slots.map(({ place }) => place));
  stage.calls.set(key, call);
  return call;
}

function follow(stage: Stage, subject: Subject, call: PreparedCall, laws: readonly Law[]): Paths {
  installImage(stage, subject.bytes, subject.entry, subject.stackWords);
  watchReturns(stage, subject);
  return followPaths(stage, subject, call, laws);
}

/** The image once more for each program that can be patched out of it, with all laws watching. */
function patchedToo(stage: Stage, subject: Subject, call: PreparedCall, whole: Paths): Verdict {
  let paths = whole.count;
  let states = whole.states;
  for (const program of new Set(subject.patchPoints.map((point) => point.program))) {
    const points = subject.patchPoints.filter((point) => point.program === program);
    const bytes = patched(subject.bytes, points);
    const contract = withoutProgram(subject.contract, program);
    const result = follow(stage, { ...subject, bytes, contract }, call, IMAGE_LAWS);
    paths += result.count;
    states += result.states;
    if (result.breach !== undefined) return { paths, states, breach: underPatch(result.breach, points[0]!) };
  }
  return { paths, states, breach: undefined };
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

function underPatch({ law, finding, path, writer }: Breach, { offset, program }: PatchPoint): Breach {
  const skipped = program === 0 ? 'all fexit programs' : `prog#${program}`;
  const patch = `with ${skipped} patched out at tramp#1+0x${offset.toString(16)}`;
  const { expected, observed } = finding;
  const changed = { ...finding, expected: `${expected} (${law.name})`, observed: `${patch}: ${observed}` };
  return { law: patchPointsAreSafe, path, finding: changed, writer };
}

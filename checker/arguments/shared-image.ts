import { present } from '../../model/core/present.ts';
import { PROFILES } from '../../model/core/profile.ts';
import type { PlanRequest } from '../../model/trampoline/plan/planner.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { SITE_BYTES, siteOffset } from '../../model/trampoline/stage/install.ts';
import type { SharedFinding } from '../../properties/finding/abi-finding.ts';
import { KERNEL, subjectFor } from '../../properties/observed/subject.ts';
import { argumentsReachPrograms } from '../../properties/trampoline/arguments-reach-programs.ts';
import { argumentsReachTheOriginal } from '../../properties/trampoline/arguments-reach-the-original.ts';
import { imageReturnsWithoutAFault } from '../../properties/trampoline/image-returns-without-a-fault.ts';
import type { ImageBench } from '../images/bench.ts';
import { benchFor } from '../images/bench.ts';
import { judge } from '../images/verdict.ts';

/** The condition on a call of each function that shares an image. */
const ASKED = [argumentsReachPrograms, argumentsReachTheOriginal, imageReturnsWithoutAFault];

const PROFILE = PROFILES['6.12'];

/**
 * The type of an image that serves this function and others: words are whole, because another function may use all of
 * a word of which this one uses a part. An image for a single narrow argument on the stack clears the rest.
 */
export function wholeWords({ args, ret }: Signature): Signature {
  const whole = args.map((type) => {
    const size = 8 * Math.ceil(type.size / 8);
    return type.size === size
      ? type
      : present(typeNamed(type.struct ? `s${size}b` : 'u64'), type.struct ? `s${size}b` : 'u64');
  });
  return { args: whole, ret };
}

/** Calls a function through an image generated for another, on every path and for all argument values. */
export function callThrough(made: Signature, called: Signature): SharedFinding | undefined {
  const { stage } = stageOfOne();
  const subject = subjectFor(stage, requestFor(made), KERNEL, called);
  if (typeof subject === 'string') return { is: 'image-is-refused', errno: subject };
  const { breach, unfinished } = judge(stage, subject, ASKED);
  if (breach !== undefined) return breach.finding;
  return unfinished === undefined ? undefined : { is: 'call-is-not-seen-to-its-end', ...unfinished };
}

/** An image with a program at the entry and one at the exit, which derives from the stack whose call it serves. */
function requestFor(signature: Signature): PlanRequest {
  const { ibt, boots } = PROFILE;
  return {
    profile: PROFILE,
    mitigations: boots.default,
    ibt,
    signature,
    programs: [
      { ...plainProgram(1), kind: 'fentry' },
      { ...plainProgram(2), kind: 'fexit' },
    ],
    sticky: { shareIpmodify: true, tailCallCtx: false },
    returnOffset: siteOffset(ibt) + SITE_BYTES,
  };
}

let bench: ImageBench | undefined;

/** One stage for all images. */
function stageOfOne(): ImageBench {
  return (bench ??= benchFor(undefined));
}

import { registering } from '../model/core/register.ts';
import type { Law } from './law/image-law.ts';
import { argumentsAreOnlyCopied } from './trampoline/arguments-are-only-copied.ts';
import { argumentsReachPrograms } from './trampoline/arguments-reach-programs.ts';
import { argumentsReachTheOriginal } from './trampoline/arguments-reach-the-original.ts';
import { branchesHaveValidTargets } from './trampoline/branches-have-valid-targets.ts';
import { callDepthIsAccounted } from './trampoline/call-depth-is-accounted.ts';
import { calleeSavedRegistersArePreserved } from './trampoline/callee-saved-registers-are-preserved.ts';
import { callerSeesTheReturnValue } from './trampoline/caller-sees-the-return-value.ts';
import { enterAndExitArePaired } from './trampoline/enter-and-exit-are-paired.ts';
import { exitProgramsSeeTheReturnValue } from './trampoline/exit-programs-see-the-return-value.ts';
import { functionIpAndArgumentCount } from './trampoline/function-ip-and-argument-count.ts';
import { generationIsDeterministic } from './trampoline/generation-is-deterministic.ts';
import { imageIsPinned } from './trampoline/image-is-pinned.ts';
import { imageReturnsWithoutAFault } from './trampoline/image-returns-without-a-fault.ts';
import { narrowArgumentsAreDefined } from './trampoline/narrow-arguments-are-defined.ts';
import { originalRunsExactlyOnce } from './trampoline/original-runs-exactly-once.ts';
import { patchPointsAreSafe } from './trampoline/patch-points-are-safe.ts';
import { programRunsIffEntered } from './trampoline/program-runs-iff-entered.ts';
import { programsRunInOrder } from './trampoline/programs-run-in-order.ts';
import { returnsToTheRightAddress } from './trampoline/returns-to-the-right-address.ts';
import { returnsUseTheReturnThunk } from './trampoline/returns-use-the-return-thunk.ts';
import { runContextHoldsTheCookie } from './trampoline/run-context-holds-the-cookie.ts';
import { sessionCookiesAreSeparate } from './trampoline/session-cookies-are-separate.ts';
import { stackIsAligned } from './trampoline/stack-is-aligned.ts';
import { storesStayInTheFrame } from './trampoline/stores-stay-in-the-frame.ts';
import { tailCallCounterIsPreserved } from './trampoline/tail-call-counter-is-preserved.ts';

const laws: Law[] = [
  branchesHaveValidTargets,
  generationIsDeterministic,
  callDepthIsAccounted,
  returnsUseTheReturnThunk,
  storesStayInTheFrame,
  imageIsPinned,
  enterAndExitArePaired,
  programRunsIffEntered,
  programsRunInOrder,
  runContextHoldsTheCookie,
  functionIpAndArgumentCount,
  sessionCookiesAreSeparate,
  argumentsReachPrograms,
  narrowArgumentsAreDefined,
  exitProgramsSeeTheReturnValue,
  originalRunsExactlyOnce,
  stackIsAligned,
  argumentsReachTheOriginal,
  tailCallCounterIsPreserved,
  returnsToTheRightAddress,
  calleeSavedRegistersArePreserved,
  callerSeesTheReturnValue,
  argumentsAreOnlyCopied,
  imageReturnsWithoutAFault,
  patchPointsAreSafe,
];

/** The laws of one image, in the order in which they judge an event: if it breaks several, the first says most. */
export const IMAGE_LAWS: readonly Law[] = laws;

export const listImageLaw = registering(laws, 'law');

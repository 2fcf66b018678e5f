import { registering } from '../model/core/register.ts';
import type { Law } from './law/image-law.ts';
import { argumentsReachPrograms } from './trampoline/arguments-reach-programs.ts';
import { argumentsReachTheOriginal } from './trampoline/arguments-reach-the-original.ts';
import { branchesLand } from './trampoline/branches-land.ts';
import { calleeSavedRegistersSurvive } from './trampoline/callee-saved-registers-survive.ts';
import { callerSeesTheReturnValue } from './trampoline/caller-sees-the-return-value.ts';
import { callsAreAccounted } from './trampoline/calls-are-accounted.ts';
import { enterAndExitPair } from './trampoline/enter-and-exit-pair.ts';
import { exitProgramsSeeTheReturnValue } from './trampoline/exit-programs-see-the-return-value.ts';
import { functionIpAndArgumentCount } from './trampoline/function-ip-and-argument-count.ts';
import { generationIsDeterministic } from './trampoline/generation-is-deterministic.ts';
import { imageIsPinned } from './trampoline/image-is-pinned.ts';
import { narrowArgumentsAreDefined } from './trampoline/narrow-arguments-are-defined.ts';
import { onlyMovesArguments } from './trampoline/only-moves-arguments.ts';
import { originalRunsOnce } from './trampoline/original-runs-once.ts';
import { patchPointsAreSafe } from './trampoline/patch-points-are-safe.ts';
import { programRunsIfEntered } from './trampoline/program-runs-if-entered.ts';
import { programsRunInOrder } from './trampoline/programs-run-in-order.ts';
import { returnsThroughTheThunk } from './trampoline/returns-through-the-thunk.ts';
import { returnsToTheRightPlace } from './trampoline/returns-to-the-right-place.ts';
import { runContextHoldsTheCookie } from './trampoline/run-context-holds-the-cookie.ts';
import { runsToItsReturn } from './trampoline/runs-to-its-return.ts';
import { sessionCookieIsItsOwn } from './trampoline/session-cookie-is-its-own.ts';
import { stackIsAligned } from './trampoline/stack-is-aligned.ts';
import { storesStayInTheFrame } from './trampoline/stores-stay-in-the-frame.ts';
import { tailCallCounterSurvives } from './trampoline/tail-call-counter-survives.ts';

const laws: Law[] = [
  branchesLand,
  generationIsDeterministic,
  callsAreAccounted,
  returnsThroughTheThunk,
  storesStayInTheFrame,
  imageIsPinned,
  enterAndExitPair,
  programRunsIfEntered,
  programsRunInOrder,
  runContextHoldsTheCookie,
  functionIpAndArgumentCount,
  sessionCookieIsItsOwn,
  argumentsReachPrograms,
  narrowArgumentsAreDefined,
  exitProgramsSeeTheReturnValue,
  originalRunsOnce,
  stackIsAligned,
  argumentsReachTheOriginal,
  tailCallCounterSurvives,
  returnsToTheRightPlace,
  calleeSavedRegistersSurvive,
  callerSeesTheReturnValue,
  onlyMovesArguments,
  runsToItsReturn,
  patchPointsAreSafe,
];

/**
 * The laws of one image, in the order in which they are asked about an event: where several are broken at once,
 * the first says most.
 */
export const IMAGE_LAWS: readonly Law[] = laws;

export const listImageLaw = registering(laws, 'law');

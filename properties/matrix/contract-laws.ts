import type { AttachLaw } from '../attach/moment.ts';
import { callerGetsTheReturnValue } from '../ftrace/caller-gets-the-return-value.ts';
import { callersRegistersAndStackSurvive } from '../ftrace/callers-registers-and-stack-survive.ts';
import { callsReturn } from '../ftrace/calls-return.ts';
import { directCallsGoOnInTheFunction } from '../ftrace/direct-calls-go-on-in-the-function.ts';
import { everyProbeFiresOnce } from '../ftrace/every-probe-fires-once.ts';
import { everybodySeesTheCallersArguments } from '../ftrace/everybody-sees-the-callers-arguments.ts';
import { exitsSeeTheReturnValue } from '../ftrace/exits-see-the-return-value.ts';
import { programsKnowTheirCookieAndFunction } from '../ftrace/programs-know-their-cookie-and-function.ts';
import { whatWasPromisedIsWhatRuns } from '../ftrace/what-was-promised-is-what-runs.ts';

/**
 * What a call owes to those who are attached and to its caller, whatever the kernel does for it: where one of these is
 * broken and nobody was refused, something is lost in silence.
 */
export const CONTRACT_LAWS: readonly AttachLaw[] = [
  callsReturn,
  callersRegistersAndStackSurvive,
  callerGetsTheReturnValue,
  whatWasPromisedIsWhatRuns,
  directCallsGoOnInTheFunction,
  everyProbeFiresOnce,
  everybodySeesTheCallersArguments,
  exitsSeeTheReturnValue,
  programsKnowTheirCookieAndFunction,
];

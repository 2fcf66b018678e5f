import { callerGetsTheReturnValue } from '../../properties/ftrace/caller-gets-the-return-value.ts';
import { callersRegistersAndStackSurvive } from '../../properties/ftrace/callers-registers-and-stack-survive.ts';
import { callsReturn } from '../../properties/ftrace/calls-return.ts';
import { directCallsGoOnInTheFunction } from '../../properties/ftrace/direct-calls-go-on-in-the-function.ts';
import { everyProbeFiresOnce } from '../../properties/ftrace/every-probe-fires-once.ts';
import { everybodySeesTheCallersArguments } from '../../properties/ftrace/everybody-sees-the-callers-arguments.ts';
import { exitsSeeTheReturnValue } from '../../properties/ftrace/exits-see-the-return-value.ts';
import { programsKnowTheirCookieAndFunction } from '../../properties/ftrace/programs-know-their-cookie-and-function.ts';
import { whatWasPromisedIsWhatRuns } from '../../properties/ftrace/what-was-promised-is-what-runs.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';

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

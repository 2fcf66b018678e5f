import { bodyOrReplacementRunsOnce } from '../../properties/ftrace/body-or-replacement-runs-once.ts';
import { callbacksSeeTheCallersArguments } from '../../properties/ftrace/callbacks-see-the-callers-arguments.ts';
import { callerGetsTheReturnValue } from '../../properties/ftrace/caller-gets-the-return-value.ts';
import { callerRegistersAndStackArePreserved } from '../../properties/ftrace/caller-registers-and-stack-are-preserved.ts';
import { directTrampolineRunsExactlyOnce } from '../../properties/ftrace/direct-trampoline-runs-exactly-once.ts';
import { exitHandlersSeeTheReturnValue } from '../../properties/ftrace/exit-handlers-see-the-return-value.ts';
import { probesFireExactlyOnce } from '../../properties/ftrace/probes-fire-exactly-once.ts';
import { programsGetTheirCookieAndFunctionIp } from '../../properties/ftrace/programs-get-their-cookie-and-function-ip.ts';
import { tracedCallsReturn } from '../../properties/ftrace/traced-calls-return.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';

/**
 * The obligations of a call to its attached clients and to its caller, whatever the mechanism: where one of these is
 * broken and no client was refused, an event is lost without an error.
 */
export const CONTRACT_LAWS: readonly AttachLaw[] = [
  tracedCallsReturn,
  callerRegistersAndStackArePreserved,
  callerGetsTheReturnValue,
  bodyOrReplacementRunsOnce,
  directTrampolineRunsExactlyOnce,
  probesFireExactlyOnce,
  callbacksSeeTheCallersArguments,
  exitHandlersSeeTheReturnValue,
  programsGetTheirCookieAndFunctionIp,
];

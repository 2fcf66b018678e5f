import { bodyOrReplacementRunsOnce } from '../../properties/ftrace/body-or-replacement-runs-once.ts';
import { callbacksRunInStageOrder } from '../../properties/ftrace/callbacks-run-in-stage-order.ts';
import { callbacksSeeTheCallersArguments } from '../../properties/ftrace/callbacks-see-the-callers-arguments.ts';
import { callerGetsTheReturnValue } from '../../properties/ftrace/caller-gets-the-return-value.ts';
import { callerRegistersAndStackArePreserved } from '../../properties/ftrace/caller-registers-and-stack-are-preserved.ts';
import { directTrampolineRunsExactlyOnce } from '../../properties/ftrace/direct-trampoline-runs-exactly-once.ts';
import { entryDataReachesItsExit } from '../../properties/ftrace/entry-data-reaches-its-exit.ts';
import { exitHandlersSeeTheReturnValue } from '../../properties/ftrace/exit-handlers-see-the-return-value.ts';
import { exitsMatchAcceptedEntries } from '../../properties/ftrace/exits-match-accepted-entries.ts';
import { missesAreCountedOnce } from '../../properties/ftrace/misses-are-counted-once.ts';
import { newerClientsRunFirst } from '../../properties/ftrace/newer-clients-run-first.ts';
import { probesFireExactlyOnce } from '../../properties/ftrace/probes-fire-exactly-once.ts';
import { programsGetTheirCookieAndFunctionIp } from '../../properties/ftrace/programs-get-their-cookie-and-function-ip.ts';
import { returnHooksRunInReverseOrder } from '../../properties/ftrace/return-hooks-run-in-reverse-order.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';

/** The laws on calls that judge from the contract and from what a call shows: a running kernel is judged by them as it is. */
export const CALL_LAWS: readonly AttachLaw[] = [
  bodyOrReplacementRunsOnce,
  exitsMatchAcceptedEntries,
  probesFireExactlyOnce,
  missesAreCountedOnce,
  directTrampolineRunsExactlyOnce,
  callerGetsTheReturnValue,
  callerRegistersAndStackArePreserved,
  callbacksRunInStageOrder,
  newerClientsRunFirst,
  returnHooksRunInReverseOrder,
  callbacksSeeTheCallersArguments,
  exitHandlersSeeTheReturnValue,
  entryDataReachesItsExit,
  programsGetTheirCookieAndFunctionIp,
];

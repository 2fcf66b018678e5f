import { registering } from '../model/core/register.ts';
import { bodyOrReplacementRunsOnce } from './ftrace/body-or-replacement-runs-once.ts';
import { callSitesMatchOps } from './ftrace/call-sites-match-ops.ts';
import { callSitesMatchRecords } from './ftrace/call-sites-match-records.ts';
import { callbacksRunInStageOrder } from './ftrace/callbacks-run-in-stage-order.ts';
import { callbacksSeeTheCallersArguments } from './ftrace/callbacks-see-the-callers-arguments.ts';
import { callerGetsTheReturnValue } from './ftrace/caller-gets-the-return-value.ts';
import { callerRegistersAndStackArePreserved } from './ftrace/caller-registers-and-stack-are-preserved.ts';
import { callsLeaveNothingBehind } from './ftrace/calls-leave-nothing-behind.ts';
import { deadFtraceStaysDead } from './ftrace/dead-ftrace-stays-dead.ts';
import { detachNeedsNoMemory } from './ftrace/detach-needs-no-memory.ts';
import { detachingEverythingRestoresBootState } from './ftrace/detaching-everything-restores-boot-state.ts';
import { directFunctionsMatchDirectOps } from './ftrace/direct-functions-match-direct-ops.ts';
import { directTrampolineRunsExactlyOnce } from './ftrace/direct-trampoline-runs-exactly-once.ts';
import { emptyFilterDoesNotTraceEverything } from './ftrace/empty-filter-does-not-trace-everything.ts';
import { entryDataReachesItsExit } from './ftrace/entry-data-reaches-its-exit.ts';
import { exitHandlersSeeTheReturnValue } from './ftrace/exit-handlers-see-the-return-value.ts';
import { exitsMatchAcceptedEntries } from './ftrace/exits-match-accepted-entries.ts';
import { failedCallsHaveNoEffect } from './ftrace/failed-calls-have-no-effect.ts';
import { freedMemoryWasWaitedFor } from './ftrace/freed-memory-was-waited-for.ts';
import { independentOperationsCommute } from './ftrace/independent-operations-commute.ts';
import { kprobeEventsRunTheirProgram } from './ftrace/kprobe-events-run-their-program.ts';
import { kprobeJumpsMatchKprobes } from './ftrace/kprobe-jumps-match-kprobes.ts';
import { locksAreTakenInOneOrder } from './ftrace/locks-are-taken-in-one-order.ts';
import { missedReturnsAreCounted } from './ftrace/missed-returns-are-counted.ts';
import { missesAreCountedOnce } from './ftrace/misses-are-counted-once.ts';
import { multiLinkBookkeepingIsConsistent } from './ftrace/multi-link-bookkeeping-is-consistent.ts';
import { newerClientsRunFirst } from './ftrace/newer-clients-run-first.ts';
import { noCallbacksWhileTracingIsOff } from './ftrace/no-callbacks-while-tracing-is-off.ts';
import { noDoubleRegistration } from './ftrace/no-double-registration.ts';
import { noFtraceBug } from './ftrace/no-ftrace-bug.ts';
import { noPointerToARetiredImage } from './ftrace/no-pointer-to-a-retired-image.ts';
import { noWarningWithoutMisuse } from './ftrace/no-warning-without-misuse.ts';
import { onlyChangedSitesArePoked } from './ftrace/only-changed-sites-are-poked.ts';
import { onlyGraphUserIsCalledDirectly } from './ftrace/only-graph-user-is-called-directly.ts';
import { onlyRequestedFunctionsAreTraced } from './ftrace/only-requested-functions-are-traced.ts';
import { operationsNeitherOopsNorHang } from './ftrace/operations-neither-oops-nor-hang.ts';
import { opsTrampolinesCallTheirOps } from './ftrace/ops-trampolines-call-their-ops.ts';
import { overrunsAreCounted } from './ftrace/overruns-are-counted.ts';
import { probesFireExactlyOnce } from './ftrace/probes-fire-exactly-once.ts';
import { programsGetTheirCookieAndFunctionIp } from './ftrace/programs-get-their-cookie-and-function-ip.ts';
import { recordCountsMatchOps } from './ftrace/record-counts-match-ops.ts';
import { recordFlagsMatchOps } from './ftrace/record-flags-match-ops.ts';
import { refusalsHaveTheirErrno } from './ftrace/refusals-have-their-errno.ts';
import { replacedReturnAddressesAreRecoverable } from './ftrace/replaced-return-addresses-are-recoverable.ts';
import { returnHooksRunInReverseOrder } from './ftrace/return-hooks-run-in-reverse-order.ts';
import { sharedEntryCallsASafeHandler } from './ftrace/shared-entry-calls-a-safe-handler.ts';
import { successMeansAttached } from './ftrace/success-means-attached.ts';
import { tracedCallsReturn } from './ftrace/traced-calls-return.ts';
import { userCountsMatchUsers } from './ftrace/user-counts-match-users.ts';
import { writesHoldTheirLock } from './ftrace/writes-hold-their-lock.ts';
import type { AttachLaw } from './law/sequence-law.ts';
import { extensionsExcludePrograms } from './trampoline/extensions-exclude-programs.ts';
import { imageMatchesAttachedPrograms } from './trampoline/image-matches-attached-programs.ts';
import { noJumpUnderALivePatch } from './trampoline/no-jump-under-a-live-patch.ts';
import { programsFitTheirTarget } from './trampoline/programs-fit-their-target.ts';
import { referenceCountsAreExact } from './trampoline/reference-counts-are-exact.ts';
import { targetModulesStayLoaded } from './trampoline/target-modules-stay-loaded.ts';

const laws: AttachLaw[] = [
  noFtraceBug,
  operationsNeitherOopsNorHang,
  deadFtraceStaysDead,
  recordCountsMatchOps,
  recordFlagsMatchOps,
  callSitesMatchOps,
  callSitesMatchRecords,
  sharedEntryCallsASafeHandler,
  opsTrampolinesCallTheirOps,
  emptyFilterDoesNotTraceEverything,
  directFunctionsMatchDirectOps,
  imageMatchesAttachedPrograms,
  extensionsExcludePrograms,
  programsFitTheirTarget,
  noJumpUnderALivePatch,
  noPointerToARetiredImage,
  referenceCountsAreExact,
  multiLinkBookkeepingIsConsistent,
  targetModulesStayLoaded,
  userCountsMatchUsers,
  onlyGraphUserIsCalledDirectly,
  kprobeJumpsMatchKprobes,
  detachNeedsNoMemory,
  failedCallsHaveNoEffect,
  noDoubleRegistration,
  refusalsHaveTheirErrno,
  successMeansAttached,
  onlyChangedSitesArePoked,
  detachingEverythingRestoresBootState,
  onlyRequestedFunctionsAreTraced,
  independentOperationsCommute,
  tracedCallsReturn,
  callerRegistersAndStackArePreserved,
  callerGetsTheReturnValue,
  returnHooksRunInReverseOrder,
  callsLeaveNothingBehind,
  replacedReturnAddressesAreRecoverable,
  noCallbacksWhileTracingIsOff,
  bodyOrReplacementRunsOnce,
  directTrampolineRunsExactlyOnce,
  probesFireExactlyOnce,
  missedReturnsAreCounted,
  missesAreCountedOnce,
  overrunsAreCounted,
  exitsMatchAcceptedEntries,
  callbacksRunInStageOrder,
  newerClientsRunFirst,
  callbacksSeeTheCallersArguments,
  exitHandlersSeeTheReturnValue,
  entryDataReachesItsExit,
  programsGetTheirCookieAndFunctionIp,
  kprobeEventsRunTheirProgram,
  writesHoldTheirLock,
  locksAreTakenInOneOrder,
  freedMemoryWasWaitedFor,
  noWarningWithoutMisuse,
];

/** The laws on sequences of client calls: first those on the kernel's state, then those on what a call shows. */
export const ATTACH_LAWS: readonly AttachLaw[] = laws;

export const listAttachLaw = registering(laws, 'law');

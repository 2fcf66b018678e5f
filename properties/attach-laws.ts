import { registering } from '../model/core/register.ts';
import { callerGetsTheReturnValue } from './ftrace/caller-gets-the-return-value.ts';
import { callersRegistersAndStackSurvive } from './ftrace/callers-registers-and-stack-survive.ts';
import { callsReturn } from './ftrace/calls-return.ts';
import { countIsTheNumberOfOps } from './ftrace/count-is-the-number-of-ops.ts';
import { countersAreTheNumberOfUsers } from './ftrace/counters-are-the-number-of-users.ts';
import { deadIsAbsorbing } from './ftrace/dead-is-absorbing.ts';
import { designsAgreeWithThemselves } from './ftrace/designs-agree-with-themselves.ts';
import { detachingEverythingReturnsToBoot } from './ftrace/detaching-everything-returns-to-boot.ts';
import { detachingNeedsNoMemory } from './ftrace/detaching-needs-no-memory.ts';
import { directCallsGoOnInTheFunction } from './ftrace/direct-calls-go-on-in-the-function.ts';
import { directTableIsTheUnionOfFilters } from './ftrace/direct-table-is-the-union-of-filters.ts';
import { everyProbeFiresOnce } from './ftrace/every-probe-fires-once.ts';
import { everybodySeesTheCallersArguments } from './ftrace/everybody-sees-the-callers-arguments.ts';
import { exitsFindTheDataOfTheirEntry } from './ftrace/exits-find-the-data-of-their-entry.ts';
import { exitsFollowAcceptedEntries } from './ftrace/exits-follow-accepted-entries.ts';
import { exitsSeeTheReturnValue } from './ftrace/exits-see-the-return-value.ts';
import { filtersDoNotBecomeEverything } from './ftrace/filters-do-not-become-everything.ts';
import { ftraceStaysAlive } from './ftrace/ftrace-stays-alive.ts';
import { independentOperationsCommute } from './ftrace/independent-operations-commute.ts';
import { innerCallsLeadToASafeHandler } from './ftrace/inner-calls-lead-to-a-safe-handler.ts';
import { missesAreCounted } from './ftrace/misses-are-counted.ts';
import { newerClientsRunFirst } from './ftrace/newer-clients-run-first.ts';
import { nobodyIsCalledWhileTracingIsOff } from './ftrace/nobody-is-called-while-tracing-is-off.ts';
import { nobodyLeadsToARetiredImage } from './ftrace/nobody-leads-to-a-retired-image.ts';
import { nothingIsLeftOfACall } from './ftrace/nothing-is-left-of-a-call.ts';
import { objectsAreAttachedOnce } from './ftrace/objects-are-attached-once.ts';
import { onlyWhatChangesIsPoked } from './ftrace/only-what-changes-is-poked.ts';
import { operationsDoNotCrash } from './ftrace/operations-do-not-crash.ts';
import { overrunsAreCounted } from './ftrace/overruns-are-counted.ts';
import { privateTrampolinesCallTheirOps } from './ftrace/private-trampolines-call-their-ops.ts';
import { programsKnowTheirCookieAndFunction } from './ftrace/programs-know-their-cookie-and-function.ts';
import { recordFlagsFollowFromTheOps } from './ftrace/record-flags-follow-from-the-ops.ts';
import { refusedCallsLeaveNoTrace } from './ftrace/refused-calls-leave-no-trace.ts';
import { replacedReturnsAreKnown } from './ftrace/replaced-returns-are-known.ts';
import { returnsComeBackInReverseOrder } from './ftrace/returns-come-back-in-reverse-order.ts';
import { sitesFollowFromTheOps } from './ftrace/sites-follow-from-the-ops.ts';
import { sitesHoldWhatIsInEffect } from './ftrace/sites-hold-what-is-in-effect.ts';
import { stagesOfACallKeepTheirOrder } from './ftrace/stages-of-a-call-keep-their-order.ts';
import { successMeansAttached } from './ftrace/success-means-attached.ts';
import { whatWasPromisedIsWhatRuns } from './ftrace/what-was-promised-is-what-runs.ts';
import type { AttachLaw } from './law/sequence-law.ts';
import { extensionsAreAlone } from './trampoline/extensions-are-alone.ts';
import { noJumpUnderALivePatch } from './trampoline/no-jump-under-a-live-patch.ts';
import { programsAndImageAgree } from './trampoline/programs-and-image-agree.ts';
import { referencesAreCounted } from './trampoline/references-are-counted.ts';
import { targetsStayLoaded } from './trampoline/targets-stay-loaded.ts';

const laws: AttachLaw[] = [
  ftraceStaysAlive,
  operationsDoNotCrash,
  deadIsAbsorbing,
  countIsTheNumberOfOps,
  recordFlagsFollowFromTheOps,
  sitesFollowFromTheOps,
  sitesHoldWhatIsInEffect,
  innerCallsLeadToASafeHandler,
  privateTrampolinesCallTheirOps,
  filtersDoNotBecomeEverything,
  directTableIsTheUnionOfFilters,
  programsAndImageAgree,
  extensionsAreAlone,
  noJumpUnderALivePatch,
  nobodyLeadsToARetiredImage,
  referencesAreCounted,
  designsAgreeWithThemselves,
  targetsStayLoaded,
  countersAreTheNumberOfUsers,
  detachingNeedsNoMemory,
  refusedCallsLeaveNoTrace,
  objectsAreAttachedOnce,
  successMeansAttached,
  onlyWhatChangesIsPoked,
  detachingEverythingReturnsToBoot,
  independentOperationsCommute,
  callsReturn,
  callersRegistersAndStackSurvive,
  callerGetsTheReturnValue,
  returnsComeBackInReverseOrder,
  nothingIsLeftOfACall,
  replacedReturnsAreKnown,
  nobodyIsCalledWhileTracingIsOff,
  whatWasPromisedIsWhatRuns,
  directCallsGoOnInTheFunction,
  everyProbeFiresOnce,
  missesAreCounted,
  overrunsAreCounted,
  exitsFollowAcceptedEntries,
  stagesOfACallKeepTheirOrder,
  newerClientsRunFirst,
  everybodySeesTheCallersArguments,
  exitsSeeTheReturnValue,
  exitsFindTheDataOfTheirEntry,
  programsKnowTheirCookieAndFunction,
];

/** The laws that sequences of client calls are held against: first the kernel's state, then what a call shows. */
export const ATTACH_LAWS: readonly AttachLaw[] = laws;

export const listAttachLaw = registering(laws, 'law');

import { countIsTheNumberOfOps } from '../ftrace/count-is-the-number-of-ops.ts';
import { countersAreTheNumberOfUsers } from '../ftrace/counters-are-the-number-of-users.ts';
import { directTableIsTheUnionOfFilters } from '../ftrace/direct-table-is-the-union-of-filters.ts';
import { innerCallsLeadToASafeHandler } from '../ftrace/inner-calls-lead-to-a-safe-handler.ts';
import { nobodyLeadsToARetiredImage } from '../ftrace/nobody-leads-to-a-retired-image.ts';
import { privateTrampolinesCallTheirOps } from '../ftrace/private-trampolines-call-their-ops.ts';
import { recordFlagsFollowFromTheOps } from '../ftrace/record-flags-follow-from-the-ops.ts';
import { sitesFollowFromTheOps } from '../ftrace/sites-follow-from-the-ops.ts';
import { sitesHoldWhatIsInEffect } from '../ftrace/sites-hold-what-is-in-effect.ts';
import type { TaskJudgement, TaskLaw, TaskMoment } from '../law/interleaving-law.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import { finalWorlds } from '../observed/possible-worlds.ts';
import { extensionsAreAlone } from '../trampoline/extensions-are-alone.ts';
import { noJumpUnderALivePatch } from '../trampoline/no-jump-under-a-live-patch.ts';
import { programsAndImageAgree } from '../trampoline/programs-and-image-agree.ts';
import { referencesAreCounted } from '../trampoline/references-are-counted.ts';
import { targetsStayLoaded } from '../trampoline/targets-stay-loaded.ts';

/** Laws of sequences that look at nothing but the kernel as it is after a call: here, when everybody has finished. */
const SETTLED: readonly AttachLaw[] = [
  countIsTheNumberOfOps,
  recordFlagsFollowFromTheOps,
  sitesFollowFromTheOps,
  sitesHoldWhatIsInEffect,
  innerCallsLeadToASafeHandler,
  privateTrampolinesCallTheirOps,
  directTableIsTheUnionOfFilters,
  programsAndImageAgree,
  extensionsAreAlone,
  noJumpUnderALivePatch,
  nobodyLeadsToARetiredImage,
  referencesAreCounted,
  targetsStayLoaded,
  countersAreTheNumberOfUsers,
];

/** The same laws, of what interleaved operations leave. */
export const SETTLED_LAWS: readonly TaskLaw[] = SETTLED.map(settled);

/** A law of sequences, asked when everybody has finished. */
export function settled(law: AttachLaw): TaskLaw {
  return {
    name: law.name,
    sentence: law.sentence,
    source: law.source,
    witness: `${law.witness}, and everybody had finished`,
    judge: (moment) => judged(law, moment),
  };
}

/** A law is broken when no order of the operations accounts for what they have left. */
function judged(law: AttachLaw, { scenario, program, happening, kernel }: TaskMoment): TaskJudgement {
  if (happening.is !== 'end') return 'no say';
  const findings = finalWorlds(scenario, happening.done).map((promises) =>
    law.judge({
      previous: undefined,
      before: kernel,
      action: { do: 'settle' },
      outcome: { errno: 0, warnings: [] },
      after: kernel,
      promised: promises,
      promises,
      program,
      injected: false,
    }),
  );
  return findings.find((finding) => typeof finding === 'string') ?? findings[0]!;
}

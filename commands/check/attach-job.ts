import { searchSequences } from '../../checker/sequences/search.ts';
import { UnmodelledSequence } from '../../checker/sequences/unmodelled.ts';
import type { Answer, Exit, JobProgress, WholeJob } from '../../counterexamples/answer.ts';
import { EXIT, progressOf, worstExit } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { beyondDefault, DEFAULT_SEQUENCES } from '../../counterexamples/default-bounds.ts';
import { foundJson } from '../../counterexamples/images/describe.ts';
import type { Remark, RunPart } from '../../counterexamples/run-part.ts';
import { markOf, partAnswer } from '../../counterexamples/run-part.ts';
import type { AttachCounterexample } from '../../counterexamples/sequences/attach-describe.ts';
import { describeSequence } from '../../counterexamples/sequences/attach-describe.ts';
import { printAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { sitesJson, siteTable } from '../../counterexamples/sequences/sites.ts';
import { count, counted } from '../../counterexamples/text.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { aboutHits, besideIn } from './about-hits.ts';
import type { SearchedKernel, SequenceSearch } from './attach-search.ts';
import {
  isOnlyBehindKnown,
  isVacuous,
  leftSequences,
  uncoveredTexts,
  unreached,
  vacuousIn,
  verdictOfSearch,
  witnessed,
} from './attach-search.ts';
import {
  knownLines,
  knownText,
  lawsText,
  metBreaches,
  plantedRemarks,
  stoppedRemarks,
  unaskedLines,
  vacuousRemarks,
} from './pass.ts';
import { sequenceChecks } from './sequence-checks.ts';
import { boundLines, linesOf } from './sequence-lines.ts';
import { sitesPage } from './sites-page.ts';
import { TakenSites } from './taken-sites.ts';
import { unmodelledAnswer } from './unmodelled-answer.ts';

/** Plays random sequences of client calls, and reports the shrunk breach or what held within the bound. */
export function* sequenceJob(search: SequenceSearch): WholeJob {
  try {
    return yield* searchKernels(search);
  } catch (error) {
    if (error instanceof UnmodelledSequence) return unmodelledAnswer(error);
    throw error;
  }
}

function* searchKernels(search: SequenceSearch): WholeJob {
  const parts: SearchedKernel[] = [];
  for (const profile of search.profiles) {
    const part = yield* searchKernel(search, profile);
    parts.push(part);
    if (part.searched.found !== undefined || part.searched.sequences < search.sequences) break;
  }
  return answerOf(search, parts);
}

/** The search in one kernel. */
export function* searchKernel(
  search: SequenceSearch,
  profile: string,
): Generator<JobProgress, SearchedKernel, boolean> {
  const { laws, known, planted, seed, sequences, near } = search;
  const taken = new TakenSites(search.share);
  const steps = searchSequences({
    profile,
    seed,
    sequences,
    laws,
    others: [...ATTACH_LAWS, ...HIT_LAWS],
    known: planted === undefined ? known : [],
    program: plantedKernel(planted),
    hits: aboutHits(search),
    ...(near === undefined ? {} : { near: near.cases.filter((c) => c.profile === profile) }),
    asksBehindKnown: true,
    watch: taken,
    share: taken.share,
  });
  const searched = yield* progressOf(steps, (soFar) => ({
    part: `sequences of ${profile}`,
    done: soFar.sequences,
    of: sequences,
    unit: 'sequence',
  }));
  return { profile, searched, sites: taken.all };
}

function answerOf(search: SequenceSearch, parts: readonly SearchedKernel[]): Answer {
  const counterexample = counterexampleOf(search, parts);
  const exit = exitOf(search, parts);
  const save =
    counterexample === undefined
      ? []
      : [{ path: `${CORPUS}/${counterexample.path}`, text: printAttachTrace(counterexample.trace) }];
  const { html } = search;
  return partAnswer(
    partOf(search, parts, { exit, counterexample }),
    {
      ...(html === undefined ? {} : { files: [{ file: html, content: sitesPage(search.sites, parts) }] }),
      json: { command: 'search', exit, ...jsonOf(search, parts, counterexample) },
      exit,
      save,
      verdict: verdictOfSearch(search, parts),
    },
    sequenceChecks(search, parts, { save, report: counterexample?.trace.report }),
  );
}

function partOf(
  search: SequenceSearch,
  parts: readonly SearchedKernel[],
  {
    exit,
    counterexample,
  }: { readonly exit: Exit; readonly counterexample: AttachCounterexample | undefined },
): RunPart {
  const { laws, unasked } = search;
  const met = metBreaches(search.known, parts);
  const isWhole = counterexample === undefined && leftSequences(search, parts).length === 0;
  const sum = (of: (searched: SearchedKernel['searched']) => number) =>
    parts.reduce((all, { searched }) => all + of(searched), 0);
  return {
    mark: markOf(exit),
    name: 'sequences',
    counts: [
      `${count(sum(({ sequences }) => sequences))} drawn${nearText(search)}`,
      counted(
        sum(({ actions }) => actions),
        'action',
      ),
      lawsText(laws.map((law) => (isVacuous(search, parts, law) ? 0 : 1))),
    ].join(', '),
    kernels: parts.map(({ profile }) => profile),
    reports: counterexample === undefined ? [] : [counterexample.trace.report],
    remarks: counterexample === undefined ? remarksOn(search, parts) : [],
    tables: search.printsSites ? ['', ...siteTable(search.sites, parts)] : [],
    details: [
      ...(isWhole ? laws.flatMap((law) => linesOf(search, parts, law)) : []),
      ...unasked.flatMap(unaskedLines),
      ...knownLines(met, 'sequence'),
      ...parts.flatMap((part) => boundLines(search, part)),
    ],
    known: knownText(met, 'sequences'),
    uncovered: isWhole ? uncoveredTexts(search, parts) : [],
  };
}

function counterexampleOf(
  search: SequenceSearch,
  parts: readonly SearchedKernel[],
): AttachCounterexample | undefined {
  const { profile = '', searched } = parts.at(-1) ?? {};
  const { found, sequences = 0 } = searched ?? {};
  if (found === undefined) return undefined;
  const { planted, seed, known, near } = search;
  const number = beyondDefault(sequences, DEFAULT_SEQUENCES);
  const beside = near === undefined ? besideIn(search, found.breach.law) : undefined;
  const asked = { search: { profile, beside }, listed: known };
  const origin = { planted, seed, number, drawn: found.drawn, near: near?.name, ...asked };
  const described = describeSequence(found.case, found.breach.law, origin);
  if (described === undefined)
    throw new Error(`the shrunk sequence does not break ${found.breach.law.name} again`);
  return described;
}

/** A law that was never exercised, or a return site that was not reached, leaves the question open. */
function exitOf(search: SequenceSearch, parts: readonly SearchedKernel[]): Exit {
  if (parts.some(({ searched }) => searched.found !== undefined)) return EXIT.BROKEN;
  const vacuous = vacuousIn(search, parts).length > 0;
  const stopped = leftSequences(search, parts).length > 0;
  const open = search.planted !== undefined || vacuous || stopped || unreached(search, parts).length > 0;
  return worstExit(open ? [EXIT.INCONCLUSIVE] : []);
}

/** Reasons why the question is open. */
function remarksOn(search: SequenceSearch, parts: readonly SearchedKernel[]): Remark[] {
  const { planted } = search;
  const left = leftSequences(search, parts);
  const open = left.length > 0 ? stoppedRemarks(left) : vacuousRemarks(vacuousIn(search, parts));
  const missing = left.length > 0 ? [] : unreached(search, parts);
  return [
    ...open,
    ...plantedRemarks(planted),
    ...missing.map((text) => ({ mark: '?', name: 'not reached', text }) as const),
  ];
}

/** ` near a.calls`. */
function nearText({ near }: SequenceSearch): string {
  return near === undefined ? '' : ` near ${near.name}`;
}

function jsonOf(
  search: SequenceSearch,
  parts: readonly SearchedKernel[],
  counterexample: AttachCounterexample | undefined,
) {
  const { seed, planted, laws, unasked } = search;
  return {
    seed,
    planted: planted?.name ?? null,
    near: search.near?.name ?? null,
    kernels: parts.map(({ profile, searched, sites }) => ({
      kernel: profile,
      sequences: searched.sequences,
      actions: searched.actions,
      died: searched.died,
      known: Object.fromEntries(searched.known),
      sites: sitesJson(sites),
    })),
    laws: laws.map((law) => ({
      name: law.name,
      sentence: law.sentence,
      sequences: witnessed(parts, law),
      behindKnown: isOnlyBehindKnown(parts, law),
    })),
    unasked,
    counterexample: counterexample === undefined ? null : foundJson(counterexample),
  };
}

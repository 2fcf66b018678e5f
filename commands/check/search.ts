import { benchFor } from '../../checker/images/bench.ts';
import type { ImageSearch, SearchedImages } from '../../checker/images/check.ts';
import { searchImages } from '../../checker/images/check.ts';
import { printCase } from '../../checker/images/spelling.ts';
import type { UnfinishedImage } from '../../checker/images/tally.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import type { Answer, Exit, RunVerdict, WholeJob } from '../../counterexamples/answer.ts';
import { EXIT, progressOf, worstExit } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { beyondDefault, DEFAULT_CASES } from '../../counterexamples/default-bounds.ts';
import type { Counterexample } from '../../counterexamples/images/describe.ts';
import { describe } from '../../counterexamples/images/describe.ts';
import { stepCount } from '../../counterexamples/images/report.ts';
import { printTrace } from '../../counterexamples/images/trace.ts';
import type { Remark, RunPart } from '../../counterexamples/run-part.ts';
import { markOf, partAnswer } from '../../counterexamples/run-part.ts';
import { count, counted, leftOut } from '../../counterexamples/text.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { Law } from '../../properties/law/image-law.ts';
import { lawChecks } from './law-checks.ts';
import type { Exercised, MetBreach } from './pass.ts';
import {
  boundLines,
  isVacuous,
  knownLines,
  knownText,
  lawLines,
  lawsText,
  plantedRemarks,
  searchVerdict,
  stoppedRemarks,
  vacuousRemarks,
  vacuousText,
} from './pass.ts';

/** Searches random attach combinations, and reports the shrunk breach or what held within the bound. */
export function* searchJob(search: ImageSearch): WholeJob {
  const searched = yield* progressOf(searchImages(search), ({ cases }) => ({
    part: 'images',
    done: cases,
    of: search.cases,
    unit: 'attach combination',
  }));
  return answerOf(search, searched);
}

function answerOf(search: ImageSearch, searched: SearchedImages): Answer {
  const counterexample = counterexampleOf(search, searched);
  const exit = exitOf(search, searched);
  const save = counterexample === undefined ? [] : [savedAs(counterexample)];
  return partAnswer(
    partOf(search, searched, { exit, counterexample }),
    {
      json: { command: 'search', exit, ...searchJson(search, searched, counterexample) },
      exit,
      save,
      verdict: verdictOfSearch(search, searched),
    },
    lawChecks({
      laws: search.laws.map(({ name, sentence }) => ({
        name,
        sentence,
        open: openText(search, searched, name),
      })),
      save,
      report: counterexample?.trace.report,
      known: metBreaches(searched),
      left: isStopped(search, searched) ? leftCases(search, searched) : [],
      noun: 'image',
    }),
  );
}

function partOf(
  search: ImageSearch,
  searched: SearchedImages,
  { exit, counterexample }: { readonly exit: Exit; readonly counterexample: Counterexample | undefined },
): RunPart {
  const { laws } = search;
  const met = metBreaches(searched);
  const isWhole = counterexample === undefined && !isStopped(search, searched);
  const often = laws.map(({ name }) => searched.witnesses.get(name) ?? 0);
  return {
    mark: markOf(exit),
    name: 'images',
    counts: [
      `${count(searched.cases)} drawn`,
      counted(searched.images, 'image'),
      `${lawsText(often)}, all argument values`,
    ].join(', '),
    reports: counterexample === undefined ? [] : [counterexample.trace.report],
    remarks: counterexample === undefined ? remarksOn(search, searched) : [],
    details: [
      ...(isWhole ? laws.flatMap((law) => lawLines(law, exercisedIn(searched, law))) : []),
      ...knownLines(met, 'image'),
      ...boundLines(searched),
    ],
    known: knownText(met, 'images'),
  };
}

/** Why a search to its end does not decide a law. */
function openText(
  { planted }: ImageSearch,
  { witnesses, unfinished }: SearchedImages,
  law: string,
): string | undefined {
  if (planted !== undefined) return `the planted bug ${planted.name} was not found`;
  if (unfinished?.law === law) return `unfinished: ${unfinishedText(unfinished)}`;
  return (witnesses.get(law) ?? 0) === 0 ? 'vacuous: exercised by no image' : undefined;
}

function exercisedIn({ witnesses, images }: SearchedImages, { name }: Law): Exercised {
  return { met: witnesses.get(name) ?? 0, of: images, noun: 'image' };
}

function metBreaches({ known }: SearchedImages): MetBreach[] {
  return KNOWN.flatMap((entry) => {
    const times = known.get(entry.name);
    return times === undefined ? [] : [{ ...entry, times }];
  });
}

/** What leaves the question open. */
function remarksOn(search: ImageSearch, searched: SearchedImages): Remark[] {
  const { planted, laws } = search;
  const { unfinished } = searched;
  return [
    ...(isStopped(search, searched)
      ? stoppedRemarks(leftCases(search, searched))
      : vacuousRemarks(laws.filter((law) => isVacuous(law, searched)))),
    ...plantedRemarks(planted),
    ...(unfinished === undefined
      ? []
      : [{ mark: '?', name: 'unfinished', text: unfinishedText(unfinished) } as const]),
  ];
}

function counterexampleOf(search: ImageSearch, { found, cases }: SearchedImages): Counterexample | undefined {
  if (found === undefined) return undefined;
  const { planted, seed, known } = search;
  const number = beyondDefault(cases, DEFAULT_CASES);
  const origin = { planted: planted?.name, seed, number, drawnSteps: stepCount(found.drawn) };
  const described = describe(benchFor(planted), found.case, { law: found.breach.law, known }, origin);
  if (described === undefined)
    throw new Error(`the shrunk case does not break ${found.breach.law.name} again`);
  return described;
}

function savedAs({ path, trace }: Counterexample): Answer['save'][number] {
  return { path: `${CORPUS}/${path}`, text: printTrace(trace) };
}

function isStopped({ cases }: ImageSearch, searched: SearchedImages): boolean {
  return searched.found === undefined && searched.cases < cases;
}

function leftCases({ cases: of }: ImageSearch, { cases }: SearchedImages): string[] {
  return leftOut('attach combination', 'judged', { of, left: of - cases });
}

function verdictOfSearch(search: ImageSearch, searched: SearchedImages): RunVerdict {
  const { planted, laws, seed, cases } = search;
  const { found, unfinished, known } = searched;
  const vacuous = laws.filter((law) => isVacuous(law, searched)).length;
  const left = isStopped(search, searched) ? leftCases(search, searched) : [];
  const unmet = [
    ...vacuousText(vacuous, 'image'),
    ...(unfinished === undefined ? [] : ['a path was not seen to its end']),
  ];
  const more = { '--cases': String(10 * cases) };
  return searchVerdict({
    isFound: found !== undefined,
    planted,
    known: [...known.keys()],
    left,
    unmet,
    seed,
    more,
  });
}

function unfinishedText({ case: c, law, finding }: UnfinishedImage): string {
  return `${printCase(c)}: ${rendered(finding).observed} (${law})`;
}

/** A law that was never exercised, or a planted bug that was not found, leaves the question open. */
function exitOf(search: ImageSearch, searched: SearchedImages): Exit {
  const { planted, laws } = search;
  if (searched.found !== undefined) return EXIT.BROKEN;
  const open = planted !== undefined || searched.unfinished !== undefined;
  const vacuous = laws.some((law) => isVacuous(law, searched));
  return worstExit(open || vacuous || isStopped(search, searched) ? [EXIT.INCONCLUSIVE] : []);
}

/** The fields of a search in `--json`. */
function searchJson(
  search: ImageSearch,
  searched: SearchedImages,
  counterexample: Counterexample | undefined,
) {
  const { seed, planted, laws } = search;
  const { cases, images, paths, witnesses, refusals, known, unfinished } = searched;
  return {
    seed,
    planted: planted?.name ?? null,
    cases,
    images,
    paths: paths.toString(),
    laws: laws.map(({ name, sentence }) => ({ name, sentence, images: witnesses.get(name) ?? 0 })),
    refusals: Object.fromEntries(refusals),
    known: Object.fromEntries(known),
    unfinished: unfinished === undefined ? null : unfinishedText(unfinished),
    counterexample: counterexample === undefined ? null : counterexampleJson(counterexample),
  };
}

/** The fields of a counterexample in `--json`. */
export function counterexampleJson({ trace, path }: Counterexample) {
  const { law, planted, report } = trace;
  return {
    law,
    planted: planted ?? null,
    case: trace.case,
    answers: trace.answers,
    path: `${CORPUS}/${path}`,
    report,
  };
}

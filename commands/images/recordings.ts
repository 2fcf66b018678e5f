import { readText } from '../../conformance/files.ts';
import type { ImageResult } from '../../conformance/images/images.ts';
import { checkRecord } from '../../conformance/images/images.ts';
import type { RecordedImage } from '../../conformance/images/record.ts';
import { parseRecords } from '../../conformance/images/record.ts';
import type { Answer, Exit, Job, JobProgress, RunVerdict } from '../../counterexamples/answer.ts';
import { EXIT, progressOf, worstExit } from '../../counterexamples/answer.ts';
import { closingLines, suiteOf } from '../../counterexamples/run-part.ts';
import { counted, leftOut } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { imageChecks } from './image-checks.ts';
import {
  differenceLines,
  knownBreachLines,
  knownImagesText,
  refusalLines,
  resultJson,
  summarise,
  summaryTable,
  totalsJson,
  totalsOf,
  undecidedLines,
  undecidedText,
} from './summary.ts';

/** The result of comparing some files of recordings. */
export interface ComparedImages {
  readonly results: readonly ImageResult[];
  /** One sentence for each line that could not be used. */
  readonly problems: readonly string[];
  /** One sentence for each record at which the checker failed. */
  readonly failures: readonly string[];
  /** Records that a stop has left out. */
  readonly left: number;
}

/** Compares every record of some files with the model: errno, image, call, laws. */
export function* compareFiles(paths: readonly string[]): Generator<ComparedImages, ComparedImages, boolean> {
  const problems: string[] = [];
  const records: RecordedImage[] = [];
  for (const path of paths) {
    const parsed = readRecords(path);
    for (const record of parsed.records) records.push(record);
    for (const problem of parsed.problems) problems.push(problem);
  }
  const results: ImageResult[] = [];
  const failures: string[] = [];
  let left = records.length;
  for (const record of records) {
    try {
      results.push(checkRecord(record));
    } catch (error) {
      if (error instanceof InputError) problems.push(error.message);
      else failures.push(failureAt(record.place, error));
    }
    left--;
    if (yield { results, problems, failures, left }) break;
  }
  return { results, problems, failures, left };
}

function readRecords(path: string): ReturnType<typeof parseRecords> {
  try {
    return parseRecords(readText(path), path);
  } catch (error) {
    if (error instanceof InputError) return { records: [], problems: [error.message] };
    throw error;
  }
}

/** An error of the checker at one record; the others are judged all the same. */
export function failureAt(place: string, error: unknown): string {
  return `${place}: the checker failed: ${messageOf(error)}`;
}

/** The same, with how far it has got. */
export function compareWithProgress(
  paths: readonly string[],
): Generator<JobProgress, ComparedImages, boolean> {
  return progressOf(compareFiles(paths), ({ results, left }) => ({
    part: 'recordings',
    now: results.at(-1)?.kernel ?? '',
    done: results.length,
    of: results.length + left,
    unit: 'record',
  }));
}

/** The command `images`. */
export function* imagesJob(paths: readonly string[]): Job {
  return answerOf(paths, yield* compareWithProgress(paths));
}

/** Records that are shown in full when they differ. */
const SHOWN = 20;
const PROBLEMS_SHOWN = 20;

/** The first sentences about lines that could not be used, and how many others there are. */
export function problemLines(problems: readonly string[]): string[] {
  const others = problems.length - PROBLEMS_SHOWN;
  return [
    ...problems.slice(0, PROBLEMS_SHOWN).map((problem) => `✗ ${problem}`),
    ...(others > 0 ? [`✗ and ${counted(others, 'other line')}, in --json`] : []),
  ];
}

function answerOf(files: readonly string[], compared: ComparedImages): Answer {
  const { results, problems, failures } = compared;
  const exit = exitOf(compared);
  const groupOf = ({ kernel, boot }: ImageResult) => `${kernel.padEnd(6)}${boot}`;
  const lines = (knownLines: readonly string[]) => [
    ...comparedLines(compared, groupOf),
    ...differenceLines(results, SHOWN),
    ...knownLines,
    ...problemLines([...problems, ...failures]),
    ...leftImages(compared).map((left) => `? ${left}`),
  ];
  const closing = closingLines([
    { mark: ' ', name: '', counts: '', known: knownImagesText(results), uncovered: undecidedText(results) },
  ]);
  const text = [...lines([]), ...closing].join('\n');
  const verbose = lines([...knownBreachLines(results), ...undecidedLines(results)]).join('\n');
  const json = {
    command: 'images',
    exit,
    files,
    totals: totalsJson(totalsOf('all', results)),
    groups: summarise(results, groupOf).map(totalsJson),
    records: results.map(resultJson),
    problems: [...problems, ...failures],
  };
  const verdict = { ...imagesVerdict(compared), next: { command: [] } };
  const bound = { name: 'images', counts: counted(results.length, 'record') };
  const suites = [suiteOf(bound, imageChecks(compared, leftImages(compared)))];
  return { text, verbose, json, suites, exit, save: [], verdict };
}

/** A table of groups of records, and how their refusals compare. */
export function comparedLines(
  { results }: ComparedImages,
  groupOf: (result: ImageResult) => string,
): string[] {
  return [...summaryTable(summarise(results, groupOf), totalsOf('all', results)), ...refusalLines(results)];
}

/** The part that a stop has left out. */
export function leftImages({ results, left }: ComparedImages): string[] {
  return leftOut('recording', 'compared', { of: results.length + left, left });
}

/** The verdict of the comparison. */
export function imagesVerdict(compared: ComparedImages): Omit<RunVerdict, 'next'> {
  const { results, problems, failures } = compared;
  const differing = results.filter(isDifferent).length;
  const unmodelled = results.filter(({ laws }) => laws.status === 'not modelled').length;
  return {
    breaches: 0,
    wrong: [
      ...(differing === 0 ? [] : [`${counted(differing, 'recording')} not as in the model`]),
      ...(unmodelled === 0 ? [] : [`${counted(unmodelled, 'recording')} not modelled`]),
      ...(problems.length === 0 ? [] : [`${counted(problems.length, 'line')} of recordings not usable`]),
      ...(failures.length === 0 ? [] : [`${counted(failures.length, 'recording')} not judged`]),
    ],
    known: results.flatMap(({ known }) => known),
    open: leftImages(compared),
  };
}

/** How bad it is: something differs or is broken, something is not modelled, a line cannot be read. */
export function exitOf({ results, problems, failures, left }: ComparedImages): Exit {
  const exits: Exit[] = problems.length > 0 ? [EXIT.USAGE] : [];
  if (failures.length > 0) exits.push(EXIT.FAILED);
  if (left > 0) exits.push(EXIT.INCONCLUSIVE);
  if (results.some(({ laws }) => laws.status === 'not modelled')) exits.push(EXIT.FAILED);
  if (results.some(isDifferent)) exits.push(EXIT.BROKEN);
  return worstExit(exits);
}

function isDifferent({ attempt, image, call, laws }: ImageResult): boolean {
  const differs = attempt.status === 'differs' || image.status === 'different' || call.status === 'differs';
  return differs || laws.status === 'broken';
}

import { readText } from '../../conformance/files.ts';
import type { ImageResult } from '../../conformance/images/images.ts';
import { checkRecord } from '../../conformance/images/images.ts';
import type { RecordedImage } from '../../conformance/images/record.ts';
import { parseRecords } from '../../conformance/images/record.ts';
import type { Answer, Exit, Job, RunVerdict } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { count, counted, leftOut } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import {
  differenceLines,
  knownBreachLines,
  refusalLines,
  resultJson,
  summarise,
  summaryTable,
  totalsJson,
  totalsOf,
  undecidedLines,
} from './summary.ts';

/** What comparing some files of recordings showed. */
export interface ComparedImages {
  readonly results: readonly ImageResult[];
  /** One sentence for each line that could not be used. */
  readonly problems: readonly string[];
  /** Records that a stop has left out. */
  readonly left: number;
}

/** The same while it is under way. */
export interface ComparedSoFar extends ComparedImages {
  /** Kernels of which all records have been compared. */
  readonly whole: ReadonlySet<string>;
}

/** Its line of progress. */
export function comparedLine({ results, left }: ComparedSoFar): string {
  return `recordings ${count(results.length)} of ${count(results.length + left)}`;
}

/** Compares every record of some files with the model: errno, image, call, laws. */
export function* compareFiles(paths: readonly string[]): Generator<ComparedSoFar, ComparedImages, boolean> {
  const problems: string[] = [];
  const records: RecordedImage[] = [];
  for (const path of paths) {
    const parsed = readRecords(path);
    records.push(...parsed.records);
    problems.push(...parsed.problems);
  }
  const results: ImageResult[] = [];
  let left = records.length;
  const whole = new Set<string>();
  const lastOf = new Map(records.map((record) => [record.kernel, record]));
  for (const record of records) {
    const result = checkOne(record);
    if (typeof result === 'string') problems.push(result);
    else results.push(result);
    left--;
    if (lastOf.get(record.kernel) === record && typeof result !== 'string') whole.add(result.kernel);
    if (yield { results, problems, left, whole }) break;
  }
  return { results, problems, left };
}

function readRecords(path: string): ReturnType<typeof parseRecords> {
  try {
    return parseRecords(readText(path), path);
  } catch (error) {
    if (error instanceof InputError) return { records: [], problems: [error.message] };
    throw error;
  }
}

function checkOne(record: RecordedImage): ImageResult | string {
  try {
    return checkRecord(record);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw new Error(`${record.place}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The command `images`. */
export function* imagesJob(paths: readonly string[]): Job {
  const compare = compareFiles(paths);
  for (let stop = false; ; ) {
    const step = compare.next(stop);
    if (step.done === true) return answerOf(paths, step.value);
    stop = yield comparedLine(step.value);
  }
}

/** Records that are shown in full when they differ. */
const SHOWN = 20;

function answerOf(files: readonly string[], compared: ComparedImages): Answer {
  const { results, problems } = compared;
  const exit = exitOf(compared);
  const groups = summarise(results, ({ kernel, boot }) => `${kernel.padEnd(6)}${boot}`);
  const all = totalsOf('all', results);
  const text = [
    ...summaryTable(groups, all),
    ...refusalLines(results),
    ...differenceLines(results, SHOWN),
    ...knownBreachLines(results),
    ...undecidedLines(results),
    ...problems.map((problem) => `✗ ${problem}`),
    ...leftImages(compared).map((left) => `? ${left}`),
  ];
  const json = {
    command: 'images',
    exit,
    files,
    totals: totalsJson(all),
    groups: groups.map(totalsJson),
    records: results.map(resultJson),
    problems,
  };
  const verdict = { ...imagesVerdict(compared), next: { command: [] } };
  return { text: text.join('\n'), json, exit, save: [], verdict };
}

/** What a stop has left out. */
export function leftImages({ results, left }: ComparedImages): string[] {
  return leftOut('recording', 'compared', { of: results.length + left, left });
}

/** What the comparison comes to. */
export function imagesVerdict(compared: ComparedImages): Omit<RunVerdict, 'next'> {
  const { results, problems } = compared;
  const differing = results.filter(isDifferent).length;
  const unmodelled = results.filter(({ laws }) => laws.status === 'not modelled').length;
  return {
    breaches: 0,
    wrong: [
      ...(differing === 0 ? [] : [`${counted(differing, 'recording')} not as in the model`]),
      ...(unmodelled === 0 ? [] : [`${counted(unmodelled, 'recording')} not modelled`]),
      ...(problems.length === 0 ? [] : [`${counted(problems.length, 'line')} of recordings not usable`]),
    ],
    known: results.flatMap(({ known }) => known),
    open: leftImages(compared),
  };
}

/** How bad it is: something differs or is broken, something is not modelled, a line cannot be read. */
export function exitOf({ results, problems, left }: ComparedImages): Exit {
  const exits: Exit[] = problems.length > 0 ? [EXIT.USAGE] : [];
  if (left > 0) exits.push(EXIT.INCONCLUSIVE);
  if (results.some(({ laws }) => laws.status === 'not modelled')) exits.push(EXIT.FAILED);
  if (results.some(isDifferent)) exits.push(EXIT.BROKEN);
  return worstExit(exits);
}

function isDifferent({ attempt, image, call, laws }: ImageResult): boolean {
  const differs = attempt.status === 'differs' || image.status === 'different' || call.status === 'differs';
  return differs || laws.status === 'broken';
}

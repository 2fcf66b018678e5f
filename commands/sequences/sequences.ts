import { readText } from '../../conformance/files.ts';
import type { KnownDivergence } from '../../conformance/known/sequences.ts';
import { KNOWN_DIVERGENCES } from '../../conformance/known/sequences.ts';
import type { SequenceResult } from '../../conformance/sequences/boots.ts';
import { Boots } from '../../conformance/sequences/boots.ts';
import type { RecordedSequence, Sequences } from '../../conformance/sequences/record.ts';
import { parseSequences } from '../../conformance/sequences/record.ts';
import type { Answer, Exit, Job, JobProgress, RunVerdict } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { suiteOf } from '../../counterexamples/run-part.ts';
import { counted, leftOut } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { failureAt, problemLines } from '../images/recordings.ts';
import { recordedChecks } from './sequence-checks.ts';
import type { Judged } from './summary.ts';
import {
  divergenceJson,
  divergenceLines,
  isNew,
  knownLines,
  operationTable,
  remarkLines,
  summaryTable,
  totalsByKernel,
  totalsOf,
} from './summary.ts';

/** The result of replaying some files of recorded attach sequences. */
export interface ReplayedSequences {
  readonly results: readonly Judged[];
  /** One sentence for each line that could not be used. */
  readonly problems: readonly string[];
  /** One sentence for each sequence at which the checker failed. */
  readonly failures: readonly string[];
  /** Listed divergences that should have shown, and did not. */
  readonly stale: readonly KnownDivergence[];
  /** Sequences that a stop has left out. */
  readonly left: number;
}

/** Replays every sequence of some files in the model of its kernel; each file starts with a boot. */
export function* replaySequences(
  paths: readonly string[],
  known: readonly KnownDivergence[] = KNOWN_DIVERGENCES,
): Generator<JobProgress, ReplayedSequences, boolean> {
  const results: Judged[] = [];
  const failures: string[] = [];
  const files = paths.map(readSequences);
  const all = files.reduce((sum, { sequences }) => sum + sequences.length, 0);
  let stop = false;
  for (const { sequences } of files) {
    const boots = new Boots(sequences);
    for (const sequence of sequences) {
      if (stop) break;
      try {
        const result = boots.replay(sequence);
        results.push({ ...result, known: known.find((entry) => isListed(entry, result)) });
      } catch (error) {
        failures.push(failureAt(sequence.place, error));
      }
      const counts = { done: results.length + failures.length, of: all, unit: 'sequence' };
      stop = yield { part: 'recorded sequences', now: sequence.kernel, ...counts };
    }
  }
  const stale = known.filter((entry) => isStale(entry, results));
  const problems = files.flatMap((file) => file.problems);
  return { results, problems, failures, stale, left: all - results.length - failures.length };
}

function readSequences(path: string): Sequences {
  try {
    return parseSequences(readText(path), path);
  } catch (error) {
    if (error instanceof InputError) return { sequences: [], problems: [error.message] };
    throw error;
  }
}

function isListed(entry: KnownDivergence, { sequence, divergence }: SequenceResult): boolean {
  if (divergence === undefined || !isOfKernel(entry, sequence)) return false;
  return divergence.aspect === entry.aspect && opsUpTo(sequence, divergence.step) === entry.ops;
}

/** One near to a listed kernel counts as it. */
function isOfKernel({ kernels }: KnownDivergence, { kernel }: RecordedSequence): boolean {
  return kernels.includes(profileNamed(kernel).kernel);
}

/** A sequence that begins as the listed one does not diverge there. */
function isStale(entry: KnownDivergence, results: readonly Judged[]): boolean {
  const steps = entry.ops.split('; ').length;
  return results.some(
    ({ sequence, known }) =>
      known !== entry && isOfKernel(entry, sequence) && opsUpTo(sequence, steps - 1) === entry.ops,
  );
}

function opsUpTo({ ops }: RecordedSequence, step: number): string {
  return ops
    .slice(0, step + 1)
    .map(({ text }) => text)
    .join('; ');
}

/** The command `sequences`. */
export function* sequencesJob(paths: readonly string[]): Job {
  return answerOf(paths, yield* replaySequences(paths));
}

/** Sequences that are shown in full when they differ. */
const SHOWN = 10;

function answerOf(files: readonly string[], replayed: ReplayedSequences): Answer {
  const { results, problems, failures, stale } = replayed;
  const exit = exitOfReplayed(replayed);
  const groups = totalsByKernel(results);
  const json = {
    command: 'sequences',
    exit,
    files,
    totals: totalsOf('all', results),
    groups,
    divergences: results.flatMap(divergenceJson),
    stale: stale.map(({ name }) => name),
    problems: [...problems, ...failures],
  };
  const verdict = { ...replayedVerdict(replayed), next: { command: [] } };
  const text = replayedLines(replayed).join('\n');
  const verbose = replayedLines(replayed, 'verbose').join('\n');
  const bound = { name: 'recorded sequences', counts: counted(results.length, 'sequence') };
  const suites = [suiteOf(bound, recordedChecks(replayed, leftSequences(replayed)))];
  return { text, verbose, json, suites, exit, save: [], verdict };
}

/** The part that a stop has left out. */
export function leftSequences({ results, left }: ReplayedSequences): string[] {
  return leftOut('recorded sequence', 'replayed', { of: results.length + left, left });
}

/** The verdict of the replay. */
export function replayedVerdict(replayed: ReplayedSequences): Omit<RunVerdict, 'next'> {
  const { results, problems, failures, stale } = replayed;
  const differing = results.filter(isNew).length;
  return {
    breaches: 0,
    wrong: [
      ...(differing === 0 ? [] : [`${counted(differing, 'recorded sequence')} not as in the model`]),
      ...(stale.length === 0 ? [] : [`${counted(stale.length, 'listed divergence')} no longer found`]),
      ...(problems.length === 0 ? [] : [`${counted(problems.length, 'line')} of sequences not usable`]),
      ...(failures.length === 0 ? [] : [`${counted(failures.length, 'sequence')} not judged`]),
    ],
    known: results.flatMap(({ known }) => known?.name ?? []),
    open: leftSequences(replayed),
  };
}

/** A table of kernels, and what is counted besides. */
export function replayedTable({ results }: ReplayedSequences): string[] {
  const all = totalsOf('all', results);
  return [...summaryTable(totalsByKernel(results), all), ...remarkLines(all)];
}

/** The table, what differs, and what could not be read; in detail with operations, and all that differs. */
export function replayedLines(replayed: ReplayedSequences, detail: 'short' | 'verbose' = 'short'): string[] {
  const { results, problems, failures, stale } = replayed;
  const isVerbose = detail === 'verbose';
  return [
    ...replayedTable(replayed),
    ...(isVerbose ? ['', ...operationTable(results)] : []),
    ...knownLines(results, stale),
    ...divergenceLines(results, isVerbose ? Number.POSITIVE_INFINITY : SHOWN),
    ...problemLines([...problems, ...failures]),
    ...leftSequences(replayed).map((left) => `? ${left}`),
  ];
}

/** How bad it is: something differs or no longer does, a line cannot be read. */
export function exitOfReplayed({ results, problems, failures, stale, left }: ReplayedSequences): Exit {
  const exits: Exit[] = problems.length > 0 ? [EXIT.USAGE] : [];
  if (failures.length > 0) exits.push(EXIT.FAILED);
  if (left > 0) exits.push(EXIT.INCONCLUSIVE);
  if (stale.length > 0 || results.some(isNew)) exits.push(EXIT.BROKEN);
  return worstExit(exits);
}

import type { ImageSearch } from '../../checker/images/check.ts';
import type { ImageResult } from '../../conformance/images/images.ts';
import type { Confirmed } from '../../conformance/known/confirm.ts';
import { confirmKnown } from '../../conformance/known/confirm.ts';
import type { Answer, Exit, RunVerdict, WholeJob } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { counted, leftOut } from '../../counterexamples/text.ts';
import type { BesideJob } from '../explore/explore.ts';
import type { ComparedImages } from '../images/recordings.ts';
import { comparedLine, compareFiles, exitOf, imagesVerdict, leftImages } from '../images/recordings.ts';
import {
  differenceLines,
  refusalLines,
  summarise,
  summaryTable,
  totalsJson,
  totalsOf,
} from '../images/summary.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { REPLAY_EXITS, replayText } from '../replay/replay.ts';
import type { ReplayedSequences } from '../sequences/sequences.ts';
import { exitOfReplayed, replayedLines, replayedVerdict, replaySequences } from '../sequences/sequences.ts';
import { totalsOf as sequenceTotals } from '../sequences/summary.ts';
import { sequenceJob } from './attach-job.ts';
import type { SequenceSearch } from './attach-search.ts';
import { searchJob } from './search.ts';

/** What the default run looks at. */
export interface Everything {
  readonly recordings: readonly string[];
  readonly recordedSequences: readonly string[];
  readonly corpus: readonly NamedTrace[];
  readonly search: ImageSearch;
  readonly sequences: SequenceSearch;
  /** Goes on beside everything else. */
  readonly explore: () => BesideJob;
  /** The command that does the same alone. */
  readonly exploreCommand: readonly string[];
}

/** What one section of the run has come to. */
export interface Section {
  readonly lines: readonly string[];
  readonly exit: Exit;
  /** Fields of the run's object. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly save: Answer['save'];
  readonly verdict: RunVerdict;
}

/** A section that is still to be worked on. */
export interface Task {
  /** What it is about, for when it is not begun, and the fields that are null then. */
  readonly name: string;
  readonly fields: readonly string[];
  /** Yields lines of progress, or all lines of the section that are sure so far. */
  readonly work: () => Generator<string | readonly string[], Section, boolean>;
}

/** The sections, but for the exploration. */
export function tasksOf({ recordings, recordedSequences, corpus, search, sequences }: Everything): Task[] {
  return [
    {
      name: 'recordings of real kernels',
      fields: ['recordings'],
      work: () => workOnRecordings(recordings),
    },
    {
      name: 'attach sequences on real kernels',
      fields: ['recordedSequences'],
      *work() {
        yield SEQUENCES;
        return sequencesOf(yield* replaySequences(recordedSequences));
      },
    },
    {
      name: 'saved counterexamples',
      fields: ['corpus'],
      work: () => replayCorpus(corpus),
    },
    {
      name: 'known breaches',
      fields: ['known'],
      *work() {
        return knownOf(yield* confirmKnown());
      },
    },
    taskOf('search', 'random attach combinations', () => searchJob(search)),
    taskOf('sequences', 'random sequences of client calls', () => sequenceJob(sequences)),
  ];
}

/** A search of its own. */
export function taskOf(field: string, name: string, start: () => WholeJob): Task {
  return {
    name,
    fields: [field],
    *work() {
      return sectionOf(field, yield* start(), []);
    },
  };
}

/** The answer of another command as a section. */
export function sectionOf(
  field: string,
  { text, exit, save, json, verdict }: Answer,
  heading: readonly string[],
): Section {
  if (verdict === undefined) throw new Error(`the answer of ${field} has no verdict`);
  return { lines: [...heading, text], exit, save, json: { [field]: json }, verdict };
}

/** A section that a stop has left out. */
export function unbegun({ name, fields }: Task): Section {
  const said = `${name}: not begun`;
  return {
    lines: [`? ${said}`],
    exit: EXIT.INCONCLUSIVE,
    json: Object.fromEntries(fields.map((field) => [field, null])),
    save: [],
    verdict: { breaches: 0, wrong: [], known: [], open: [said], next: { options: {} } },
  };
}

const RECORDINGS = ['recordings of real kernels, and laws on the recorded images'];

/** A kernel has its row as soon as all of its records have been compared. */
function* workOnRecordings(
  paths: readonly string[],
): Generator<string | readonly string[], Section, boolean> {
  yield [...RECORDINGS, ...rowsOf([], new Set())];
  const compare = compareFiles(paths);
  let rows = 0;
  for (let stop = false; ; ) {
    const step = compare.next(stop);
    if (step.done === true) return recordingsOf(step.value);
    const { results, whole } = step.value;
    if (whole.size > rows) {
      rows = whole.size;
      yield [...RECORDINGS, ...rowsOf(results, whole)];
    }
    stop = yield comparedLine(step.value);
  }
}

/** The table up to the first kernel that is not whole. */
function rowsOf(results: readonly ImageResult[], whole: ReadonlySet<string>): string[] {
  const groups = summarise(results, ({ kernel }) => kernel);
  const open = groups.findIndex(({ name }) => !whole.has(name));
  const rows = summaryTable(groups, totalsOf('all', results));
  return rows.slice(0, 1 + (open < 0 ? groups.length : open));
}

function recordingsOf(compared: ComparedImages): Section {
  const { results, problems } = compared;
  const groups = summarise(results, ({ kernel }) => kernel);
  const all = totalsOf('all', results);
  const undecided = results.filter(({ attempt }) => attempt.status === 'not decided').length;
  const lines = [
    ...RECORDINGS,
    ...summaryTable(groups, all),
    ...refusalLines(results),
    ...differenceLines(results, 5),
    ...(undecided > 0 ? [`  ${counted(undecided, 'attempt')} not decided: npm run check -- images`] : []),
    ...problems.map((problem) => `✗ ${problem}`),
    ...leftImages(compared).map((left) => `? ${left}`),
  ];
  const verdict = { ...imagesVerdict(compared), next: { command: ['images'] } };
  return {
    lines,
    exit: exitOf(compared),
    json: { recordings: totalsJson(all), problems },
    save: [],
    verdict,
  };
}

const SEQUENCES = ['attach sequences on real kernels, replayed in the model'];

function sequencesOf(replayed: ReplayedSequences): Section {
  const { results, problems } = replayed;
  return {
    lines: [...SEQUENCES, ...replayedLines(replayed, 3)],
    exit: exitOfReplayed(replayed),
    json: { recordedSequences: sequenceTotals('all', results), problems },
    save: [],
    verdict: { ...replayedVerdict(replayed), next: { command: ['sequences'] } },
  };
}

/** Every listed breach has to be shown by its example. */
function knownOf({ lines, exit, json, left }: Confirmed): Section {
  const broken = json.filter(({ confirmed }) => !confirmed).length;
  const open = leftOut('known breach', 'confirmed', { of: json.length + left, left });
  return {
    lines: [...lines, ...open.map((text) => `? ${text}`)],
    exit,
    json: { known: json },
    save: [],
    verdict: {
      breaches: 0,
      wrong: broken === 0 ? [] : [`${counted(broken, 'known breach')} not shown by the example`],
      known: json.filter(({ confirmed }) => confirmed).map(({ name }) => name),
      open,
      next: { options: {} },
    },
  };
}

/** Every saved counterexample has to break its law again, with the same report. */
function* replayCorpus(corpus: readonly NamedTrace[]): Generator<string, Section, boolean> {
  const results: { path: string; result: ReturnType<typeof replayText>['kind'] }[] = [];
  for (const { path, text } of corpus) {
    results.push({ path, result: replayText(text).kind });
    if (yield `saved counterexamples ${results.length} of ${corpus.length}`) break;
  }
  const changed = results.filter(({ result }) => result !== 'same');
  const same = results.length - changed.length;
  const left = corpus.length - results.length;
  const open = leftOut('saved counterexample', 'replayed', { of: corpus.length, left });
  return {
    lines: [
      ...(same > 0 ? [`✓ ${counted(same, 'saved counterexample')} replayed to the byte`] : []),
      ...changed.map(({ path, result }) => `✗ ${path}: ${result}`),
      ...open.map((text) => `? ${text}`),
    ],
    exit: worstExit([
      ...changed.map(({ result }) => (result === 'holds' ? EXIT.BROKEN : REPLAY_EXITS[result])),
      ...(left > 0 ? [EXIT.INCONCLUSIVE] : []),
    ]),
    json: { corpus: results },
    save: [],
    verdict: {
      breaches: 0,
      wrong: changed.length === 0 ? [] : [`${counted(changed.length, 'saved counterexample')} changed`],
      known: [],
      open,
      next: { command: ['replay', ...changed.map(({ path }) => path).slice(0, 1)] },
    },
  };
}

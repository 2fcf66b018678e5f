import type { ImageSearch } from '../../checker/images/check.ts';
import { confirmKnown } from '../../conformance/known/confirm.ts';
import type { Exit } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { counted } from '../../counterexamples/text.ts';
import type { WaitingJob } from '../explore/explore.ts';
import type { ComparedImages } from '../images/recordings.ts';
import { compareFiles, exitOf } from '../images/recordings.ts';
import {
  differenceLines,
  refusalLines,
  summarise,
  summaryTable,
  totalsJson,
  totalsOf,
} from '../images/summary.ts';
import type { NamedTrace } from '../replay/replay.ts';
import { REPLAY_EXITS, replayText } from '../replay/replay.ts';
import type { ReplayedSequences } from '../sequences/sequences.ts';
import { exitOfReplayed, replayedLines, replaySequences } from '../sequences/sequences.ts';
import { totalsOf as sequenceTotals } from '../sequences/summary.ts';
import type { SequenceSearch } from './attach-job.ts';
import { sequenceJob } from './attach-job.ts';
import { searchJob } from './search.ts';

/** What the default run looks at. */
export interface Everything {
  readonly recordings: readonly string[];
  readonly recordedSequences: readonly string[];
  readonly corpus: readonly NamedTrace[];
  readonly search: ImageSearch;
  readonly sequences: SequenceSearch;
  /** Under way already, beside everything else. */
  readonly exploration: WaitingJob;
}

/** The default run: recordings, saved counterexamples, known breaches, random searches, and an exploration. */
export async function* checkJob(everything: Everything): WaitingJob {
  const { recordings, recordedSequences, corpus, search, sequences, exploration } = everything;
  const compared = yield* compareFiles(recordings);
  const replayed = yield* replaySequences(recordedSequences);
  const replays = yield* replayCorpus(corpus);
  const known = yield* confirmKnown();
  const searched = yield* searchJob(search);
  const played = yield* sequenceJob(sequences);
  const explored = yield* exploration;
  const sections = [
    { lines: recordingLines(compared), exit: exitOf(compared) },
    { lines: sequenceLines(replayed), exit: exitOfReplayed(replayed) },
    replays,
    known,
    { lines: [searched.text], exit: searched.exit },
    { lines: [played.text], exit: played.exit },
    { lines: [`every interleaving\n${explored.text}`], exit: explored.exit },
  ];
  const exit = worstExit(sections.map((section) => section.exit));
  const json = {
    command: 'check',
    exit,
    recordings: totalsJson(totalsOf('all', compared.results)),
    recordedSequences: sequenceTotals('all', replayed.results),
    problems: [...compared.problems, ...replayed.problems],
    corpus: replays.json,
    known: known.json,
    search: searched.json,
    sequences: played.json,
    exploration: explored.json,
  };
  return {
    text: sections.flatMap(({ lines }) => (lines.length > 0 ? [lines.join('\n')] : [])).join('\n\n'),
    json,
    exit,
    save: [...searched.save, ...played.save, ...explored.save],
  };
}

function recordingLines({ results, problems }: ComparedImages): string[] {
  const groups = summarise(results, ({ kernel }) => kernel);
  const undecided = results.filter(({ attempt }) => attempt.status === 'not decided').length;
  return [
    'recordings of real kernels, and laws on the recorded images',
    ...summaryTable(groups, totalsOf('all', results)),
    ...refusalLines(results),
    ...differenceLines(results, 5),
    ...(undecided > 0 ? [`  ${counted(undecided, 'attempt')} not decided: npm run check -- images`] : []),
    ...problems.map((problem) => `✗ ${problem}`),
  ];
}

function sequenceLines(replayed: ReplayedSequences): string[] {
  return ['attach sequences on real kernels, replayed in the model', ...replayedLines(replayed, 3)];
}

/** One section of the run. */
interface Section {
  readonly lines: readonly string[];
  readonly exit: Exit;
  readonly json: unknown;
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
  return {
    lines: [
      ...(same > 0 ? [`✓ ${counted(same, 'saved counterexample')} replayed to the byte`] : []),
      ...changed.map(({ path, result }) => `✗ ${path}: ${result}`),
    ],
    exit: worstExit(changed.map(({ result }) => (result === 'holds' ? EXIT.BROKEN : REPLAY_EXITS[result]))),
    json: results,
  };
}

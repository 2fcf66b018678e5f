import type { ImageSearch } from '../../checker/images/check.ts';
import type { Share } from '../../checker/share.ts';
import { stepsOn, WHOLE } from '../../checker/share.ts';
import type { Confirmed } from '../../conformance/known/confirm.ts';
import { confirmedLines, confirmKnown } from '../../conformance/known/confirm.ts';
import type { JobProgress } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { markOf } from '../../counterexamples/run-part.ts';
import { counted, leftOut } from '../../counterexamples/text.ts';
import type { BesideJob } from '../explore/explore.ts';
import { compareWithProgress } from '../images/recordings.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { REPLAY_EXITS, replayText } from '../replay/replay.ts';
import { replaySequences } from '../sequences/sequences.ts';
import { sequenceJob } from './attach-job.ts';
import type { SequenceSearch } from './attach-search.ts';
import { ofAll, stoppedRemarks } from './pass.ts';
import { recordedSection } from './recorded-section.ts';
import { knownSuite, savedSuite } from './saved-checks.ts';
import { searchJob } from './search.ts';
import type { Section, Task } from './section.ts';
import { taskOf, unbegun } from './section.ts';

/** The parts of a default run. */
export interface Everything {
  readonly recordings: readonly string[];
  readonly recordedSequences: readonly string[];
  readonly corpus: readonly NamedTrace[];
  readonly search: ImageSearch;
  readonly sequences: SequenceSearch;
  /** Runs concurrently with everything else. */
  readonly explore: () => BesideJob;
  /** The command that does the same alone. */
  readonly exploreCommand: readonly string[];
  /** Sections without parts of their own are one part each. Default: all of them are worked on here. */
  readonly share?: Share;
}

/** The sections, but for the exploration. */
export function tasksOf({ share = WHOLE, ...everything }: Everything): Task[] {
  const { recordings, recordedSequences, corpus, search, sequences } = everything;
  const whole: Task[] = [
    {
      name: 'recordings',
      fields: ['recordings', 'recordedSequences'],
      *work() {
        const compared = yield* compareWithProgress(recordings);
        return recordedSection(compared, yield* replaySequences(recordedSequences));
      },
    },
    {
      name: 'counterexamples',
      fields: ['corpus'],
      work: () => replayCorpus(corpus),
    },
    {
      name: 'known bugs',
      fields: ['known'],
      *work() {
        return knownOf(yield* confirmKnown());
      },
    },
  ];
  return [
    ...whole.map((task) => inOnePart(share, task)),
    taskOf('search', 'images', () => searchJob({ ...search, share })),
    taskOf('sequences', 'sequences', () => sequenceJob({ ...sequences, share })),
  ];
}

/** A section that is one part: one machine works on it. */
export function inOnePart(share: Share, task: Task): Task {
  return {
    ...task,
    *work() {
      return (yield* stepsOn(share, task.name, task.work)) ?? unbegun(task);
    },
  };
}

/** Every listed breach has to be shown by its example. */
function knownOf(confirmed: Confirmed): Section {
  const { failures, exit, json, left } = confirmed;
  const good = json.filter(({ confirmed }) => confirmed);
  const broken = json.length - good.length;
  const open = leftOut('known bug', 'reproduced', { of: json.length + left, left });
  return {
    part: {
      mark: markOf(exit),
      name: 'known bugs',
      counts: `${ofAll(good.length, json.length, 'listed kernel bug')} reproduced`,
      remarks: [
        ...failures.map((text) => ({ mark: '✗', name: 'not reproduced', text }) as const),
        ...stoppedRemarks(open),
      ],
      details: confirmedLines(good),
    },
    exit,
    json: { known: json },
    save: [],
    suites: [knownSuite(confirmed, open)],
    verdict: {
      breaches: 0,
      wrong: broken === 0 ? [] : [`${counted(broken, 'known bug')} not reproduced`],
      known: good.map(({ name }) => name),
      open,
      next: { options: {} },
    },
  };
}

/** Every saved counterexample has to break its law again, with the same report. */
function* replayCorpus(corpus: readonly NamedTrace[]): Generator<JobProgress, Section, boolean> {
  const results: { path: string; result: ReturnType<typeof replayText>['kind'] }[] = [];
  for (const { path, text } of corpus) {
    results.push({ path, result: replayText(text).kind });
    const now = path.replace(`${CORPUS}/`, '').replace(/\.trace$/, '');
    const counts = { done: results.length, of: corpus.length, unit: 'trace' };
    if (yield { part: 'counterexamples', now, ...counts }) break;
  }
  const changed = results.filter(({ result }) => result !== 'same');
  const left = corpus.length - results.length;
  const open = leftOut('saved counterexample', 'replayed', { of: corpus.length, left });
  const exit = worstExit([
    ...changed.map(({ result }) => (result === 'holds' ? EXIT.BROKEN : REPLAY_EXITS[result])),
    ...(left > 0 ? [EXIT.INCONCLUSIVE] : []),
  ]);
  return {
    part: {
      mark: markOf(exit),
      name: 'counterexamples',
      counts: `${ofAll(results.length - changed.length, results.length, 'saved trace')} replayed to the byte`,
      remarks: [
        ...changed.map(({ path, result }) => ({ mark: '✗', name: result, text: path }) as const),
        ...stoppedRemarks(open),
      ],
    },
    exit,
    json: { corpus: results },
    save: [],
    suites: [savedSuite(results, open)],
    verdict: {
      breaches: 0,
      wrong: changed.length === 0 ? [] : [`${counted(changed.length, 'saved counterexample')} changed`],
      known: [],
      open,
      next: { command: ['replay', ...changed.map(({ path }) => path).slice(0, 1)] },
    },
  };
}

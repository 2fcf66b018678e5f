import type { ImageSearch } from '../../checker/images/check.ts';
import type { Share } from '../../checker/share.ts';
import { stepsOn, WHOLE, workOn } from '../../checker/share.ts';
import type { Confirmed } from '../../conformance/known/confirm.ts';
import { confirmedLines, confirmKnown } from '../../conformance/known/confirm.ts';
import type { JobProgress } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { markOf } from '../../counterexamples/run-part.ts';
import { counted, leftOut } from '../../counterexamples/text.ts';
import type { Replayed } from '../../counterexamples/trace-file.ts';
import { present } from '../../model/core/present.ts';
import type { BesideJob } from '../explore/explore.ts';
import { compareWithProgress } from '../images/recordings.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { REPLAY_EXITS, replayText } from '../replay/replay.ts';
import { replaySequences } from '../sequences/sequences.ts';
import type { Ahead } from './ahead.ts';
import { traceName } from './ahead-parts.ts';
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
  /** Workers that take part in a run of one machine. */
  readonly ahead?: Pick<Ahead, 'share' | 'begin' | 'end'>;
}

/** The sections, but for the exploration. */
export function tasksOf(everything: Everything): Task[] {
  const { share: ahead }: Pick<Ahead, 'share'> = everything.ahead ?? { share: WHOLE };
  const { share = ahead } = everything;
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
      work: () => replayCorpus(corpus, ahead),
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
function* replayCorpus(
  corpus: readonly NamedTrace[],
  ahead: Share,
): Generator<JobProgress, Section, boolean> {
  const results = yield* replayTraces(corpus, ahead);
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

interface ReplayedTrace {
  readonly path: string;
  readonly result: Replayed['kind'];
}

/** The traces up to the one after which it is stopped. */
function* replayTraces(
  corpus: readonly NamedTrace[],
  ahead: Share,
): Generator<JobProgress, ReplayedTrace[], boolean> {
  const results: ReplayedTrace[] = [];
  for (const { path, text } of corpus) {
    const result = present(
      workOn(ahead, traceName(path), () => replayText(text).kind),
      'result of a trace',
    );
    results.push({ path, result });
    const now = path.replace(`${CORPUS}/`, '').replace(/\.trace$/, '');
    const counts = { done: results.length, of: corpus.length, unit: 'trace' };
    if (yield { part: 'counterexamples', now, ...counts }) break;
  }
  return results;
}

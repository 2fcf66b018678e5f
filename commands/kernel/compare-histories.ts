import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { counted } from '../../counterexamples/text.ts';
import type { CastHistory, Sayable } from '../../kernels/history/cast-history.ts';
import type { ShrunkDifference } from '../../kernels/loop/shrink.ts';
import { shrinkDifference } from '../../kernels/loop/shrink.ts';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { shardText } from '../shard/run-shard.ts';
import { differenceJson, differenceLines, savedDifference } from './difference-report.ts';
import type { DrawnRun } from './drawn-histories.ts';
import { drawnHistories } from './drawn-histories.ts';
import { LeftOutCalls } from './left-out-calls.ts';

/** The drawn histories, and their kernel. */
export interface HistoryRun extends DrawnRun {
  readonly kernel: RecordedVersion;
}

/** Counts of a run. */
class Counts {
  histories = 0;
  /** Those of which nothing could be said, or everything. */
  unasked = 0;
  whole = 0;
  calls = 0;
  said = 0;
  compared = 0;
  dying = 0;
  lostAtEnd = 0;
  readonly leftOut = new LeftOutCalls();

  add({ question, leftOut, dies }: Sayable, drawn: number): void {
    this.histories++;
    this.calls += drawn;
    this.said += question?.case.actions.length ?? 0;
    if (question === undefined) this.unasked++;
    else if (leftOut.length === 0 && !dies) this.whole++;
    if (dies) this.dying++;
    this.leftOut.add(leftOut);
  }
}

/** Runs the histories of a seed, one after the other, and shrinks the first difference. */
export function* compareHistories(run: HistoryRun, tested: RunsHistories): Job {
  const counts = new Counts();
  try {
    const { next, found } = yield* drawnHistories(
      run,
      'comparison',
      `histories of ${run.kernel}`,
      (_, said, calls) => {
        counts.add(said, calls);
        return said.question && differing(tested, said.question, counts);
      },
    );
    return answerOf(run, counts, tested.boots, next, found);
  } finally {
    tested.close();
  }
}

function differing(
  tested: RunsHistories,
  question: CastHistory,
  counts: Counts,
): ShrunkDifference | undefined {
  const verdict = tested.run(question);
  const { difference } = verdict;
  counts.compared += verdict.compared;
  if (verdict.lostAtEnd) counts.lostAtEnd++;
  if (difference === undefined) return undefined;
  return shrinkDifference({ question, verdict: { ...verdict, difference } }, tested);
}

function answerOf(
  run: HistoryRun,
  counts: Counts,
  boots: number,
  next: number,
  found?: ShrunkDifference,
): Answer {
  const { kernel, seed, runs, profile, scope } = run;
  const exit = found !== undefined ? EXIT.BROKEN : next < runs ? EXIT.INCONCLUSIVE : EXIT.HELD;
  const resume = { ...run, from: next };
  return {
    text: [
      ...(found === undefined
        ? [`${next < runs ? '?' : '✓'} ${kernel}: ${agreement(counts)}`]
        : differenceLines(kernel, found)),
      ...summary(counts, boots),
      ...(next < runs ? ['', `  resume   ${commandOf(resume)}`] : []),
    ].join('\n'),
    json: {
      command: 'kernel',
      exit,
      kernel,
      profile,
      seed,
      scope,
      ...jsonOf(run, counts, boots, next, found),
    },
    exit,
    save: found === undefined ? [] : [savedDifference(kernel, `seed-${seed}.${next - 1}`, found)],
  };
}

function agreement({ histories: all, unasked, compared }: Counts): string {
  const asked = all - unasked;
  return `${counted(asked, 'history')} run, ${compared} comparisons, no difference`;
}

/** The share that was run; the calls that were left out by reason, most frequent first. */
function summary(
  { histories: all, whole, calls, said, dying, lostAtEnd, leftOut }: Counts,
  boots: number,
): string[] {
  const share = calls === 0 ? 0 : Math.round((100 * said) / calls);
  return [
    '',
    `  run      ${said} of ${calls} drawn calls (${share} %); ${whole} of ${all} histories whole`,
    `  boots    ${boots}`,
    ...(dying > 0
      ? [`  cut      ${counted(dying, 'history')} before a call in which the model crashes`]
      : []),
    ...(lostAtEnd > 0
      ? [`  ends     the kernel crashed in ${lostAtEnd} as everything was taken off: not compared`]
      : []),
    ...leftOut.sorted.map(
      ([why, n], i) => `  ${(i === 0 ? 'left out' : '').padEnd(9)}${String(n).padStart(5)}  ${why}`,
    ),
  ];
}

function commandOf({ kernel, profile, seed, runs, from, shard, scope }: HistoryRun): string {
  const options = [
    `--runs ${runs} --seed ${seed} --from ${from}`,
    ...(shard.of > 1 ? [`--shard ${shardText(shard)}`] : []),
    ...(scope === 'all functions' ? ['--trace-all'] : []),
    ...(profile === kernel ? [] : [`--profile '${profile}'`]),
  ];
  return `npm run check -- kernel ${kernel} ${options.join(' ')}`;
}

function jsonOf(
  { runs, from, shard }: HistoryRun,
  { leftOut, ...counts }: Counts,
  boots: number,
  next: number,
  found: ShrunkDifference | undefined,
): object {
  return {
    runs,
    from,
    next,
    shard: shardText(shard),
    histories: counts.histories,
    unasked: counts.unasked,
    whole: counts.whole,
    calls: {
      drawn: counts.calls,
      asked: counts.said,
      leftOut: leftOut.json(),
    },
    comparisons: counts.compared,
    lostAtEnd: counts.lostAtEnd,
    boots,
    difference: found === undefined ? null : differenceJson(found),
  };
}

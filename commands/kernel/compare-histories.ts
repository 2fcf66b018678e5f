import type { Share } from '../../checker/share.ts';
import { WHOLE, workOn } from '../../checker/share.ts';
import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { counted } from '../../counterexamples/text.ts';
import { sayable } from '../../kernels/history/cast-history.ts';
import type { ShrunkDifference } from '../../kernels/loop/shrink.ts';
import type { RunsHistories } from '../../kernels/loop/tested-kernel.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { differenceJson, differenceLines, savedDifference } from './difference-report.ts';
import type { DrawnRun } from './drawn-histories.ts';
import { drawnHistories, historiesOf } from './drawn-histories.ts';
import { HistoryCounts } from './history-counts.ts';
import { ComparedHistories } from './history-outcome.ts';

/** The drawn histories, and their kernel. */
export interface HistoryRun extends DrawnRun {
  readonly kernel: RecordedVersion;
}

/**
 * Compares the histories of a seed, or a share of them, one after the other, and shrinks the first difference. The machine
 * is made when a history is first run here.
 */
export function* compareHistories(run: HistoryRun, machine: () => RunsHistories, share: Share = WHOLE): Job {
  const { kernel } = run;
  const counts = new HistoryCounts();
  const histories = historiesOf(run, 'comparison');
  let tested: RunsHistories | undefined;
  let compared: ComparedHistories | undefined;
  const outcomeHere = (n: number) => {
    tested ??= machine();
    compared ??= new ComparedHistories(tested);
    const drawn = histories.at(n);
    return compared.outcome(sayable(drawn), drawn.actions.length);
  };
  try {
    const { next, found } = yield* drawnHistories(run, `histories of ${kernel}`, (n) => {
      const outcome = workOn(share, `history ${n} of ${kernel}`, () => outcomeHere(n), n);
      if (outcome !== undefined) counts.add(outcome);
      return outcome?.difference?.shrunk;
    });
    return answerOf(run, counts, next, found);
  } finally {
    tested?.close();
  }
}

function answerOf(run: HistoryRun, counts: HistoryCounts, next: number, found?: ShrunkDifference): Answer {
  const { kernel, seed, runs, profile, scope, near } = run;
  const exit = found !== undefined ? EXIT.BROKEN : next < runs ? EXIT.INCONCLUSIVE : EXIT.HELD;
  const resume = { ...run, from: next };
  return {
    text: [
      ...(found === undefined
        ? [`${next < runs ? '?' : '✓'} ${kernel}: ${agreement(counts)}`]
        : differenceLines(kernel, found)),
      ...summary(counts),
      ...(next < runs ? ['', `  resume   ${commandOf(resume)}`] : []),
    ].join('\n'),
    json: {
      command: 'kernel',
      exit,
      kernel,
      profile,
      seed,
      scope,
      near,
      ...jsonOf(run, counts, next, found),
    },
    exit,
    save: found === undefined ? [] : [savedDifference(kernel, `seed-${seed}.${next - 1}`, found)],
  };
}

function agreement({ histories: all, unasked, compared }: HistoryCounts): string {
  const asked = all - unasked;
  return `${counted(asked, 'history')} run, ${compared} comparisons, no difference`;
}

/** The share that was run; the calls that were left out by reason, most frequent first. */
function summary({
  histories: all,
  whole,
  calls,
  said,
  dying,
  lostAtEnd,
  boots,
  leftOut,
}: HistoryCounts): string[] {
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

function commandOf({ kernel, profile, seed, runs, from, scope, near }: HistoryRun): string {
  const options = [
    `--runs ${runs} --seed ${seed} --from ${from}`,
    ...(near ? ['--near'] : []),
    ...(scope === 'all functions' ? ['--trace-all'] : []),
    ...(profile === kernel ? [] : [`--profile '${profile}'`]),
  ];
  return `npm run check -- kernel ${kernel} ${options.join(' ')}`;
}

function jsonOf(
  { runs, from }: HistoryRun,
  { leftOut, ...counts }: HistoryCounts,
  next: number,
  found: ShrunkDifference | undefined,
): object {
  return {
    runs,
    from,
    next,
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
    boots: counts.boots,
    difference: found === undefined ? null : differenceJson(found),
  };
}

import { isFirst } from '../../checker/refinement/behaviour.ts';
import { Behaviours, Players } from '../../checker/refinement/behaviours.ts';
import { plainest } from '../../checker/refinement/plainer.ts';
import type { Distinguishing } from '../../checker/refinement/refinement.ts';
import { actionsOf } from '../../checker/refinement/retelling.ts';
import type { Answer, RunVerdict, WholeJob } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { boundLines, refusedLines } from '../../counterexamples/histories/bound-lines.ts';
import { designName } from '../../counterexamples/histories/names.ts';
import type { RefineCounterexample } from '../../counterexamples/histories/refine-trace.ts';
import { describeHistory } from '../../counterexamples/histories/refine-trace.ts';
import type { Refined } from '../../counterexamples/histories/refined.ts';
import { exitOf, refineOnGrounds } from '../../counterexamples/histories/refined.ts';
import type { HistoryWay } from '../../counterexamples/histories/ways.ts';
import { spellHistory, waysOf } from '../../counterexamples/histories/ways.ts';
import { wrap } from '../../counterexamples/text.ts';
import { item, last } from '../../model/core/present.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import { refineSuite } from './refine-checks.ts';

/** Two kernels; the question is whether the first behaves as the second. */
export interface RefineQuestion {
  readonly profiles: readonly [string, string];
  /** Operations of a history, at most. */
  readonly operations: number;
}

/** Compares two kernels on every history within a bound, up to the shortest that distinguishes them. */
export function* refineJob({ profiles, operations }: RefineQuestion): WholeJob {
  const behaviours = new Behaviours();
  const players = new Players(KERNELS_AT_ONCE);
  const search = refineOnGrounds(profiles, operations, behaviours);
  for (let stop = false; ; ) {
    const step = search.next(stop);
    if (step.done === true) return answerOf(step.value);
    for (const ask of behaviours.takeAsks()) {
      if (stop && !isFirst(ask)) break;
      behaviours.tell(ask, players.play(ask));
      stop = yield { part: 'differences', done: behaviours.played, unit: 'operation' };
    }
  }
}

/** Two on two functions each are compared at a time. */
const KERNELS_AT_ONCE = 2;

function answerOf(all: readonly Refined[]): Answer {
  const newest = last(all);
  const ways = waysOf(newest);
  const counterexample = ways[0] === undefined ? undefined : counterexampleOf(newest, ways[0].example);
  const exit = exitOf(newest);
  const text = [
    ...(counterexample === undefined ? [verdict(newest, exit)] : [counterexample.report]),
    ...alsoLines(ways.slice(1)),
    '',
    ...longest(all).flatMap((refined) => [...boundLines(refined), ...refusedLines(refined)]),
  ].join('\n');
  return {
    text,
    json: { command: 'refine', exit, ...jsonOf(all, ways, counterexample) },
    suites: [
      refineSuite(newest.profiles.map(designName), exit, {
        lines: text.split('\n'),
        place: counterexample === undefined ? undefined : { file: counterexample.path },
        operations: newest.length,
      }),
    ],
    exit,
    save: counterexample === undefined ? [] : [counterexample],
    verdict: verdictOf(newest, exit),
  };
}

function verdictOf({ profiles, length }: Refined, exit: Answer['exit']): RunVerdict {
  const isFound = exit === EXIT.BROKEN;
  return {
    breaches: 0,
    wrong: isFound ? [`a history distinguishes ${profiles.map(designName).join(' from ')}`] : [],
    known: [],
    open: exit === EXIT.INCONCLUSIVE ? ['not all histories were compared'] : [],
    next: { options: exit === EXIT.HELD ? { '--operations': String(length + 1) } : {} },
  };
}

/** Of comparisons on the same functions the last: it covers longer histories. */
function longest(all: readonly Refined[]): Refined[] {
  const names = ({ functions }: Refined) => functions.map(({ name }) => name).join();
  return all.filter((refined, i) => !all.slice(i + 1).some((later) => names(later) === names(refined)));
}

function verdict({ profiles }: Refined, exit: Answer['exit']): string {
  const [name, other] = profiles.map(designName);
  return exit === EXIT.HELD
    ? `✓ ${name} behaves as ${other} within this bound`
    : `? whether ${name} behaves as ${other} is open`;
}

/** The simplest form of a history that was found. */
function counterexampleOf(
  { profiles, functions }: Refined,
  { letters }: Distinguishing,
): RefineCounterexample {
  const operations = actionsOf(letters, profiles[0], functions);
  const described = describeHistory(plainest({ profiles, functions, operations }));
  if (described === undefined) throw new Error('the history that was found does not distinguish the kernels');
  return described;
}

/** Other ways in which histories of the same length distinguish the kernels. */
function alsoLines(ways: readonly HistoryWay[]): string[] {
  if (ways.length === 0) return [];
  const lines = ways.flatMap(({ reason, example }) => [
    ...wrap(`${reason}:`, 74).map((line) => `  ${line}`),
    ...wrap(spellHistory(example), 72).map((line) => `      ${line}`),
  ]);
  return ['', '  other histories of this length in which', ...lines.map((line) => `  ${line}`)];
}

function jsonOf(
  all: readonly Refined[],
  ways: readonly HistoryWay[],
  counterexample: RefineCounterexample | undefined,
) {
  const [kernel, against] = item(all, 0).profiles;
  return {
    kernel,
    against,
    grounds: longest(all).map(({ functions, offer, compared, length }) => ({
      functions: functions.map(({ name, signature }) => `${name}(${printSignature(signature)})`),
      operations: length,
      compared: {
        histories: String(compared.histories),
        operations: compared.operations,
        pairs: compared.pairs,
      },
      length: compared.length,
      refused: offer.refused.map((refused) => [...refused.keys()]),
    })),
    differences: ways.map(({ reason, example }) => ({ reason, history: spellHistory(example) })),
    counterexample:
      counterexample === undefined ? null : { path: counterexample.path, report: counterexample.report },
  };
}

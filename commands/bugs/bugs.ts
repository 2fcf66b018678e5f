import type { Answer, Job, JobProgress } from '../../counterexamples/answer.ts';
import { EXIT, untilStopped } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { meantOr } from '../../model/core/nearest.ts';
import type { HistoricalBug } from '../../properties/planted/history/all.ts';
import { HISTORICAL_BUGS } from '../../properties/planted/history/all.ts';
import type { BoardRow } from './board.ts';
import { boardRows, rowOf, totalsOf } from './board.ts';
import { boardLines, bugLines } from './board-text.ts';
import { measure, SEEDS, wasFound } from './measure.ts';

/** The whole board, with the figures that `npm run bugs` wrote. */
export function boardAnswer(): Answer {
  const rows = boardRows();
  return answerOf(rows, boardLines(rows), EXIT.HELD);
}

/** One bug, searched again. Throws an InputError when there is none of this name. */
export function bugJob(name: string): Job {
  const bug = HISTORICAL_BUGS.find((other) => other.name === name);
  if (bug !== undefined) return measuring(bug);
  const names = HISTORICAL_BUGS.map((other) => other.name);
  throw new InputError(
    `there is no historical bug ${name}; ${meantOr(name, names, 'npm run check -- bugs lists them all')}`,
    name,
  );
}

function* measuring(bug: HistoricalBug): Generator<JobProgress, Answer, boolean> {
  const row = rowOf(bug, undefined);
  const [planted] = row.planted;
  const figures =
    planted === undefined
      ? undefined
      : yield* untilStopped(measure(planted), (done) => ({ part: planted, done, of: SEEDS, unit: 'seed' }));
  const isFound = figures !== undefined && wasFound(figures);
  return answerOf(
    [{ ...row, figures }],
    bugLines({ ...row, figures }),
    isFound ? EXIT.HELD : EXIT.INCONCLUSIVE,
  );
}

function answerOf(rows: readonly BoardRow[], lines: readonly string[], exit: Answer['exit']): Answer {
  return {
    text: lines.join('\n'),
    json: { command: 'bugs', exit, totals: totalsOf(rows), bugs: rows.map(bugJson) },
    exit,
    save: [],
  };
}

function bugJson({ bug, planted, law, figures }: BoardRow) {
  const { name, title, commit = null, fixed, here } = bug;
  return {
    name,
    fix: fixed,
    commit,
    title,
    here: here.is,
    planted,
    law: law ?? null,
    random: figures?.random ?? null,
    exhaustive: figures?.exhaustive ?? null,
    shortest: figures?.shortest ?? null,
  };
}

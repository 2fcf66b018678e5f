import { PROGRAMS_MOST } from '../../checker/images/exhaustive.ts';
import { count } from '../../counterexamples/text.ts';
import type { BoardRow } from './board.ts';
import { byPlanted, fixOf, totalsOf, totalsText } from './board.ts';
import { cells } from './board-text.ts';
import { EXHAUSTIVE, SEEDS, WITHIN } from './measure.ts';

/*
 * The board of historical bugs, as Markdown: docs/bugs.md.
 */

export function printBoard(rows: readonly BoardRow[]): string {
  const { planted, others } = byPlanted(rows);
  return [
    ...INTRODUCTION,
    '',
    totalsText(totalsOf(rows)),
    '',
    '## Planted',
    '',
    '| bug | fix | law | found | median | states | depth | steps |',
    '|---|---|---|---|---|---|---|---|',
    ...planted.map(plantedRow),
    '',
    '## Without a planted bug',
    '',
    '| bug | fix | |',
    '|---|---|---|',
    ...others.map(({ bug, notes }) => `| ${bug.name} | ${fixOf(bug)} | ${notes.join(' ')} |`),
    '',
  ].join('\n');
}

const INTRODUCTION = [
  '# Historical bugs',
  '',
  'Would a search have found the bugs that these subsystems had? Each row is the fix of one. The fault is planted again in',
  'the model of one kernel, and the searches check the law of the row there. `npm run check -- bugs NAME` measures a row again,',
  '`UPDATE=1 npm run bugs` all of them, and `UPDATE=1 npm test -- commands/bugs` writes this page.',
  '',
  '| | |',
  '|---|---|',
  `| found | how many of ${SEEDS} seeds find the bug by random search, or of five if none of those does: within ${count(WITHIN.sequence)} sequences of calls, ${count(WITHIN.combination)} attach combinations, or ${count(WITHIN.schedule)} schedules |`,
  `| median | draws until then, the median of ${SEEDS} seeds: sequences and combinations are drawn for any bug, schedules are those of the scenario that was written for this one |`,
  `| states, depth | of an exhaustive search, breadth first, until the breach: of all interleavings of that scenario; of all sequences of up to ${EXHAUSTIVE.depth} of its calls and the others of their mechanisms, on its functions, with two objects of each kind, within ${count(EXHAUSTIVE.states)} kernels that differ; of all combinations of up to ${PROGRAMS_MOST} programs |`,
  '| steps | of the shortest breach: calls, moves of an interleaving, or programs and the call |',
];

function plantedRow({ bug, planted, law = '', notes, figures }: BoardRow): string {
  const [measured, ...others] = planted;
  const also = others.length === 0 ? [] : [`Also planted: ${others.join(', ')}.`];
  const about = [fixOf(bug), ...notes, ...also].join('<br>');
  return `| ${[`${bug.name}<br>\`${measured}\``, about, law, ...cells(figures)].join(' | ')} |`;
}

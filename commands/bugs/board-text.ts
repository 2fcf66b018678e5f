import { count, counted, labelled, WIDTH, wrap } from '../../counterexamples/text.ts';
import { grid } from '../compare/grid.ts';
import type { BoardRow } from './board.ts';
import { byPlanted, fixOf, totalsOf, totalsText } from './board.ts';
import type { BugFigures, ExhaustiveFigures } from './measure.ts';

/** The board: the planted bugs with their figures, the others with the reason. */
export function boardLines(rows: readonly BoardRow[]): string[] {
  const { planted, others } = byPlanted(rows);
  const [head = '', ...figures] = grid([
    ['', 'found', 'median', 'states', 'depth', 'steps', ''],
    ...planted.map(({ bug, figures: own }) => [bug.name, ...narrow(cells(own)), '']),
  ]);
  return [
    ...wrap('Bugs that kernels had, and how soon each is found when it is planted again', WIDTH),
    '',
    head,
    ...planted.flatMap((row, i) => [figures[i] ?? '', ...detailLines(row)]),
    '',
    'without a planted bug',
    ...others.flatMap((row) => [`  ${row.bug.name}`, ...detailLines(row)]),
    '',
    ...wrap(LEGEND, WIDTH),
    '',
    ...wrap(totalsText(totalsOf(rows)), WIDTH),
  ];
}

const LEGEND =
  'found: random seeds that find it, of all. median: sequences, attach combinations, or schedules of its scenario, that a seed draws until then. ' +
  'states, depth: of the exhaustive search, breadth first: of its scenario, of the sequences of its calls, of combinations of up to two programs. steps: of the shortest breach.';

/** Found, median, states, depth, steps: as the columns have them. */
export function cells(figures: BugFigures | undefined): string[] {
  if (figures === undefined) return ['–', '–', '–', '–', '–'];
  const { random, exhaustive, shortest } = figures;
  return [
    `${random.found} of ${random.of}`,
    random.median === null ? `> ${count(random.within)}` : count(random.median),
    exhaustive === null ? '–' : count(exhaustive.states),
    exhaustive === null || !exhaustive.found ? '–' : count(exhaustive.depth),
    shortest === null ? '–' : count(shortest),
  ];
}

/** For 80 columns: `20/20`. */
function narrow([found = '', ...others]: readonly string[]): string[] {
  return [found.replace(' of ', '/'), ...others];
}

function detailLines({ bug, law, notes }: BoardRow): string[] {
  return [fixOf(bug), ...(law === undefined ? [] : [law]), ...notes].flatMap((text) =>
    wrap(text, WIDTH - 6).map((line) => `      ${line}`),
  );
}

/** One bug, in detail. */
export function bugLines({ bug, planted, law, notes, figures }: BoardRow): string[] {
  const { name, title, commit, fixed } = bug;
  return [
    name,
    '',
    ...labelled('fix', title),
    ...labelled('in', commit === undefined ? fixed : `${fixed}, ${commit}`),
    ...(planted.length === 0 ? [] : labelled('planted', planted.join(', '))),
    ...notes.flatMap((note) => labelled('note', note)),
    ...(law === undefined ? [] : labelled('law', law)),
    ...(figures === undefined ? [] : figureLines(figures)),
  ];
}

/** `, found at depth 3`; without a breach, what holds. */
function endText({ found, depth, bound }: ExhaustiveFigures): string {
  if (found) return `, found at depth ${count(depth)}`;
  if (bound === undefined) return ', not found';
  return `, not found up to depth ${count(depth)}: ${bound === 'states' ? 'there are more states' : 'there are longer sequences'}`;
}

function figureLines({ random, exhaustive, shortest }: BugFigures): string[] {
  const { found, of, median, unit, within } = random;
  const after = median === null ? '' : `, after ${counted(median, unit)} (median)`;
  const states = exhaustive === null ? '' : counted(exhaustive.states, 'state');
  const end = exhaustive === null ? '' : endText(exhaustive);
  return [
    ...labelled('random', `${found} of ${of} seeds find it within ${counted(within, unit)}${after}`),
    ...(exhaustive === null ? [] : labelled('exhaustive', `${states}${end}`)),
    ...(shortest === null ? [] : labelled('shortest', counted(shortest, 'step'))),
  ];
}

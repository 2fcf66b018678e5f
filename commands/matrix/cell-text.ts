import type { Play } from '../../checker/matrix/cell.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { LINES_MOST, stepLines } from '../../counterexamples/sequences/attach-report.ts';
import { counted, labelled } from '../../counterexamples/text.ts';
import type { JudgedCell, Matrix } from './judged-cell.ts';
import { absentLines, answered, knownLines, lossLines, named, problemLines } from './matrix-text.ts';

/** Two mechanisms in one kernel in detail, in both orders: each call, its answer, and the clients that saw it. */
export function cellLines(matrix: Matrix): string[] {
  const { scene, cells } = matrix;
  const told = cells.map((cell) => oneCell(matrix, cell).join('\n'));
  return [
    ...(cells.length === 0 ? [`${scene.profile}: not both available`] : told.join('\n\n').split('\n')),
    ...absentLines(matrix),
    ...knownLines(matrix),
    ...problemLines(matrix),
  ];
}

function oneCell(matrix: Matrix, cell: JudgedCell): string[] {
  const { scene } = matrix;
  const [first, second] = cell.plays;
  return [
    `${scene.profile}: ${named(cell)}: ${answered(cell.verdict)}`,
    '',
    ...played(matrix, first!, 0),
    ...(second === undefined
      ? []
      : ['', '  detached in the other order', ...played(matrix, second, behindAttaching(second))]),
    ...lossLines({ cells: [cell] }),
    '',
    ...recordedLines(matrix, cell),
  ];
}

function played({ scene }: Matrix, { actions }: Play, from: number): string[] {
  const { profile, fn, program } = scene;
  const c = { profile, functions: [fn], actions };
  return stepLines({ case: c, steps: stepsOf(c, program) }, LINES_MOST, from);
}

/** How many steps both take until they are attached, each with the call after it. */
function behindAttaching({ turns }: Play): number {
  const attaching = turns.filter((turn) => turn.do === 'attach');
  return attaching.reduce((sum, { actions }) => sum + actions.length + 1, 0);
}

function recordedLines({ scene }: Matrix, { recorded, disagreements }: JudgedCell): string[] {
  if (recorded.length === 0)
    return labelled('recorded', `nowhere: no recording of ${scene.profile} begins so`);
  const agree = new Set(recorded).size - new Set(disagreements.map(({ place }) => place)).size;
  const text = `${counted(recorded.length, 'sequence')}, ${agree} with the same answers and events: ${recorded.slice(0, SHOWN).join(', ')}`;
  return labelled('recorded', text);
}

/** The number of recordings that are named. */
const SHOWN = 2;

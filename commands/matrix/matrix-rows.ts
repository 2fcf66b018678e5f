import { rendered } from '../../properties/finding/render.ts';
import type { JudgedCell, Matrix } from './judged-cell.ts';
import { knownIn, newBreachesIn, orderDecides, wordOf } from './judged-cell.ts';

const HEAD = [
  'kernel',
  'first',
  'second',
  'verdict',
  'at',
  'order decides',
  'law',
  'expected',
  'observed',
  'known',
  'new breaches',
  'recorded',
];

/** The cells of all kernels for `--format csv`, a row each; a missing mechanism has its own row, without a second. */
export function matrixRows(matrices: readonly Matrix[]): string[][] {
  return [HEAD, ...matrices.flatMap((matrix) => rowsOf(matrix))];
}

function rowsOf(matrix: Matrix): string[][] {
  const { scene, absent, cells } = matrix;
  return [
    ...cells.map((cell) => [scene.profile, ...cellRow(matrix, cell)]),
    ...absent.map(({ mechanism, errno }) =>
      HEAD.map(
        (name) => ({ kernel: scene.profile, first: mechanism.name, verdict: errno, at: 'alone' })[name] ?? '',
      ),
    ),
  ];
}

function cellRow(matrix: Matrix, cell: JudgedCell): string[] {
  const { first, second, verdict, recorded } = cell;
  const breach = verdict.is === 'loss' ? verdict.breach : undefined;
  const { expected, observed } =
    breach === undefined ? { expected: '', observed: '' } : rendered(breach.finding);
  return [
    first.name,
    second.name,
    wordOf(verdict),
    verdict.is === 'refused' ? `${verdict.turn.do} ${verdict.turn.who}` : '',
    orderDecides(matrix, cell) ? 'yes' : 'no',
    breach?.law.name ?? '',
    expected,
    observed,
    knownIn(cell).join('; '),
    newBreachesIn(cell).join('; '),
    String(recorded.length),
  ];
}

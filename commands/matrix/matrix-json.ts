import { rendered } from '../../properties/finding/render.ts';
import type { JudgedCell, Matrix } from './judged-cell.ts';
import { knownIn, newBreachesIn, orderDecides, wordOf } from './judged-cell.ts';

/** A matrix for `--json`. */
export function matrixJson(matrix: Matrix) {
  const { scene, mechanisms, absent, cells } = matrix;
  return {
    kernel: scene.profile,
    mechanisms: mechanisms.map(({ name, by }) => ({ name, by })),
    absent: absent.map(({ mechanism, errno }) => ({ name: mechanism.name, errno })),
    cells: cells.map((cell) => cellJson(matrix, cell)),
  };
}

function cellJson(matrix: Matrix, cell: JudgedCell) {
  const { first, second, verdict, recorded, disagreements } = cell;
  const breach = verdict.is === 'loss' ? verdict.breach : undefined;
  return {
    first: first.name,
    second: second.name,
    verdict: wordOf(verdict),
    refused: verdict.is === 'refused' ? verdict.turn : null,
    loss: breach === undefined ? null : { law: breach.law.name, ...rendered(breach.finding) },
    orderDecides: orderDecides(matrix, cell),
    known: knownIn(cell),
    newBreaches: newBreachesIn(cell),
    recorded,
    disagreements,
  };
}

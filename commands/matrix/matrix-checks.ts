import type { CheckSuite, RunCheck } from '../../counterexamples/run-check.ts';
import { placeIn } from '../../counterexamples/run-check.ts';
import { suiteOf } from '../../counterexamples/run-part.ts';
import { counted } from '../../counterexamples/text.ts';
import type { JudgedCell, Matrix } from './judged-cell.ts';
import { knownIn, newBreachesIn, wordOf } from './judged-cell.ts';

const RULE = {
  name: 'attachcheck/mechanisms-share-a-function',
  sentence:
    'Two mechanisms on one function do what the kernel was recorded to do, and break no law in a new way.',
};

/** A check for each cell of a matrix, at the first recording that differs. */
export function matrixSuite({ scene, cells }: Matrix): CheckSuite {
  const bound = {
    name: `matrix of ${scene.profile}`,
    counts: counted(cells.length, 'cell'),
    kernels: [scene.profile],
  };
  return suiteOf(bound, cells.map(cellCheck));
}

function cellCheck(cell: JudgedCell): RunCheck {
  const { first, second, verdict, disagreements } = cell;
  const name = `${first.name}, then ${second.name}: ${wordOf(verdict)}`;
  const wrong = [
    ...disagreements.map(
      ({ place, op, kernel, model }) => `${place}: ${op}: kernel ${kernel}, model ${model}`,
    ),
    ...newBreachesIn(cell),
  ];
  const known = knownIn(cell);
  const [disagreement] = disagreements;
  const place = disagreement === undefined ? {} : { place: placeIn(disagreement.place) };
  if (wrong.length > 0) return { name, rule: RULE, outcome: 'failed', ...place, lines: wrong };
  if (known.length > 0) return { name, rule: RULE, outcome: 'known', lines: [known.join(', ')] };
  return { name, rule: RULE, outcome: 'passed' };
}

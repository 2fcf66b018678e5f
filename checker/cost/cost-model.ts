import { item } from '../../model/core/present.ts';

/*
 * The time of a hit from two of its counts, in proportion to each:
 *
 * ```text
 *   ns = perInstruction · instructions + perStrayReturn · mispredicted returns
 * ```
 *
 * Both coefficients are fitted on half of a benchmark's rows and tested on the other half. The split, the counts and
 * the fit are rules that see no measured time: `docs/cost-model.md` states them.
 */

/** Coefficients in nanoseconds; neither is negative. */
export interface CostModel {
  readonly perInstruction: number;
  readonly perStrayReturn: number;
}

/** One row of a benchmark with its counts. */
export interface CostRow {
  readonly name: string;
  /** Machine code, and the functions in C that it calls with all that they call. */
  readonly instructions: number;
  readonly strayReturns: number;
  /** Nanoseconds per hit. */
  readonly measured: number;
}

/** A row, its time by the model, and the error relative to the measured time. */
export interface CostPrediction extends CostRow {
  readonly predicted: number;
  readonly error: number;
}

/** A model, the half of the rows that it was fitted on, and the other half. */
export interface FittedCosts {
  readonly model: CostModel;
  readonly fitted: readonly CostPrediction[];
  readonly others: readonly CostPrediction[];
}

/**
 * Fits on the first, third, fifth … row of a benchmark, in its author's order, and predicts the others. `order` has all
 * rows, those without counts included; `swapped` exchanges the halves.
 */
export function fitOnHalf(order: readonly string[], rows: readonly CostRow[], swapped: boolean): FittedCosts {
  const isFitted = ({ name }: CostRow) => (order.indexOf(name) % 2 === 0) !== swapped;
  const half = rows.filter(isFitted);
  const model = fitCosts(half);
  return {
    model,
    fitted: half.map((row) => predictCost(model, row)),
    others: rows.filter((row) => !isFitted(row)).map((row) => predictCost(model, row)),
  };
}

export function predictCost(model: CostModel, row: CostRow): CostPrediction {
  const predicted = model.perInstruction * row.instructions + model.perStrayReturn * row.strayReturns;
  return { ...row, predicted, error: predicted / row.measured - 1 };
}

/** The mean of the errors without their signs. */
export function meanError(rows: readonly CostPrediction[]): number {
  return rows.reduce((sum, { error }) => sum + Math.abs(error), 0) / rows.length;
}

/**
 * Least squares of the relative errors. A coefficient that would be negative is zero: a mispredicted return saves no time.
 */
export function fitCosts(rows: readonly CostRow[]): CostModel {
  const points = rows.map(({ instructions, strayReturns, measured }) => [
    instructions / measured,
    strayReturns / measured,
  ]);
  const sum = (of: (x: number, y: number) => number) =>
    points.reduce((total, point) => total + of(item(point, 0), item(point, 1)), 0);
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)];
  const [x1, y1] = [sum((x) => x), sum((_, y) => y)];
  const determinant = xx * yy - xy * xy;
  const [perInstruction, perStrayReturn] = [
    (x1 * yy - y1 * xy) / determinant,
    (y1 * xx - x1 * xy) / determinant,
  ];
  if (perInstruction >= 0 && perStrayReturn >= 0) return { perInstruction, perStrayReturn };
  return perInstruction < 0
    ? { perInstruction: 0, perStrayReturn: y1 / yy }
    : { perInstruction: x1 / xx, perStrayReturn: 0 };
}

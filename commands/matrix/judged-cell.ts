import type { CellVerdict, MatrixCell, MatrixScene } from '../../checker/matrix/cell.ts';
import type { Mechanism } from '../../checker/matrix/mechanism.ts';
import type { Errno } from '../../model/core/errno.ts';
import { inOneLine } from '../../properties/finding/render.ts';

/** Where a cell of the model and a recording of a real kernel differ first. */
export interface CellDisagreement {
  /** File and line. */
  readonly place: string;
  /** The operation of the recorder. */
  readonly op: string;
  readonly kernel: string;
  readonly model: string;
}

/** A cell, and its recordings on real kernels. */
export interface JudgedCell extends MatrixCell {
  /** Files and lines of the recordings that begin as it does. */
  readonly recorded: readonly string[];
  readonly disagreements: readonly CellDisagreement[];
}

/** All mechanisms of a kernel, in pairs. */
export interface Matrix {
  readonly scene: MatrixScene;
  readonly mechanisms: readonly Mechanism[];
  /** Those that it lacks, and the answers that they get. */
  readonly absent: readonly { readonly mechanism: Mechanism; readonly errno: Errno }[];
  /** Row by row. */
  readonly cells: readonly JudgedCell[];
}

/** A verdict in a word: `ok`, an errno, `loss`, `dies`. */
export function wordOf(verdict: CellVerdict): string {
  return verdict.is === 'refused' ? verdict.errno : verdict.is;
}

/** The cell with the same two in the other order. */
export function mirrored(
  { cells }: Pick<Matrix, 'cells'>,
  { first, second }: MatrixCell,
): JudgedCell | undefined {
  return cells.find((cell) => cell.first.name === second.name && cell.second.name === first.name);
}

/** Whether the order of attachment decides the outcome. */
export function orderDecides(matrix: Pick<Matrix, 'cells'>, cell: MatrixCell): boolean {
  const other = mirrored(matrix, cell);
  return other !== undefined && wordOf(other.verdict) !== wordOf(cell.verdict);
}

/** Names of the listed breaches that a cell shows. */
export function knownIn({ plays }: MatrixCell): string[] {
  return [...new Set(plays.flatMap(({ known }) => known.map(({ name }) => name)))];
}

/** Breaches that are not listed, each once. */
export function newBreachesIn({ plays }: MatrixCell): string[] {
  const told = plays.flatMap(({ newBreach }) =>
    newBreach === undefined ? [] : [`${newBreach.law.name}: ${inOneLine(newBreach.finding)}`],
  );
  return [...new Set(told)];
}

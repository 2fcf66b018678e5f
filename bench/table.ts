import type { Recorded } from './history.ts';
import { lastOf, lossOf } from './history.ts';
import type { BenchRow } from './row.ts';
import { isLessBetter, judgedFigure } from './row.ts';

/** Runs that were recorded, and the machine of this one. */
export interface BenchPast {
  readonly history: readonly Recorded[];
  readonly cpu: string;
}

const HEAD = ['', 'ours', 'peer', 'ratio', 'last', 'floor', 'aim', ''];

/** The table: a line for each row, with the last recorded figure and a mark where one is lost. */
export function tableOf(rows: readonly BenchRow[], past: BenchPast): string {
  const lines = rows.map((row) => [
    row.name,
    amount(row, row.ours),
    row.peer === undefined ? '–' : amount(row, row.peer),
    row.ratio === undefined ? '–' : times(row.ratio),
    judged(row, lastOf(past.history, row, past.cpu)),
    judged(row, row.floor),
    judged(row, row.aim),
    markOf(row, past),
  ]);
  return aligned([HEAD, ...lines]);
}

/** The same for a program. */
export function jsonOf(rows: readonly BenchRow[], { history, cpu }: BenchPast): object[] {
  return rows.map((row) => {
    const { name, unit, judged: of, ours, peer = null, ratio = null, floor = null, aim = null } = row;
    const last = lastOf(history, row, cpu);
    const loss = lossOf(row, last) ?? null;
    return { name, unit, judged: of, ours, peer, ratio, floor, aim, last: last ?? null, loss };
  });
}

/** `15 % lost`, or which target is missed. */
function markOf(row: BenchRow, { history, cpu }: BenchPast): string {
  const loss = lossOf(row, lastOf(history, row, cpu));
  if (loss !== undefined) return `${Math.round(100 * loss)} % lost`;
  const figure = judgedFigure(row);
  if (figure === undefined || row.floor === undefined) return '';
  return (isLessBetter(row) ? figure > row.floor : figure < row.floor) ? 'misses the floor' : '';
}

/** A figure, a floor or an aim in the row's unit, or as a ratio. */
function judged(row: BenchRow, figure: number | undefined): string {
  if (figure === undefined) return '–';
  return row.judged === 'ratio' ? times(figure) : amount(row, figure);
}

function amount({ unit }: BenchRow, figure: number): string {
  switch (unit) {
    case 'bytes':
      return `${figure.toFixed(0)} B`;
    case 'seconds':
      return `${figure.toFixed(figure < 1 ? 2 : 1)} s`;
    case 'per second':
      return `${(figure / 1000).toFixed(1)} k/s`;
  }
}

function times(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`;
}

/** The first column and the last to the left, numbers to the right. */
function aligned(lines: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, i) => Math.max(...lines.map((cells) => cells[i]!.length)));
  return lines
    .map((cells) =>
      cells
        .map((cell, i) =>
          i === 0 || i === HEAD.length - 1 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

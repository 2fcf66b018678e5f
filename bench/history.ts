import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { BenchRow } from './row.ts';
import { isLessBetter, judgedFigure } from './row.ts';

/** The figures of one run: a line of `history.jsonl`. */
export interface Recorded {
  readonly commit: string;
  /** `2026-11-28`. */
  readonly date: string;
  readonly node: string;
  readonly cpu: string;
  readonly rows: readonly RecordedRow[];
}

/** The figure of a row that has floor and aim. */
export interface RecordedRow {
  readonly name: string;
  readonly figure: number;
}

/** Runs in their order; none where no run has been recorded. */
export function readHistory(file: string): Recorded[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded);
}

export function appendHistory(file: string, recorded: Recorded): void {
  appendFileSync(file, `${JSON.stringify(recorded)}\n`);
}

/** The figures of rows to be recorded: a ratio without a peer is left out. */
export function recordedRows(rows: readonly BenchRow[]): RecordedRow[] {
  return rows.flatMap((row) => {
    const figure = judgedFigure(row);
    return figure === undefined ? [] : [{ name: row.name, figure: Number(figure.toPrecision(4)) }];
  });
}

/**
 * The last recorded figure of a row. Ratios are compared with those of any machine; rates, bytes and seconds with those
 * of the same CPU.
 */
export function lastOf(history: readonly Recorded[], row: BenchRow, cpu: string): number | undefined {
  const comparable = history.filter((run) => row.judged === 'ratio' || run.cpu === cpu);
  const figures = comparable.flatMap(({ rows }) => rows.filter(({ name }) => name === row.name));
  return figures.at(-1)?.figure;
}

/** A figure that is worse than the last one by more than this part of it is a loss. */
const LOSS = 0.15;

/** By which part of the last figure a row is worse; undefined: it is not, or by so little that it may be chance. */
export function lossOf(row: BenchRow, last: number | undefined): number | undefined {
  const figure = judgedFigure(row);
  if (figure === undefined || last === undefined) return undefined;
  const loss = isLessBetter(row) ? figure / last - 1 : 1 - figure / last;
  return loss > LOSS ? loss : undefined;
}

import { item } from '../../model/core/present.ts';
import { WIDTH } from '../text.ts';

/*
 * An interleaving as a kernel changelog draws it: one column an actor, time downward.
 *
 *   client#1: close(link#1)                  task#1 on cpu 0: f1(0x1001)
 *   -------------------------------------    -------------------------------------
 *   … 18 steps
 *   text_poke_bp_batch: write int3
 *     f1+0x4  call tramp#1 → int3
 *                                            f1+0x4: fetches int3
 */

/** A column: the calls of its actor, one line each. */
export interface RaceColumn {
  readonly head: readonly string[];
}

/** A step of an actor, in its column; the changes are below it. */
export interface Row {
  readonly column: number;
  readonly text: string;
  readonly changes: readonly string[];
}

const MARGIN = 2;
const GAP = 3;

/** Whether rows keep to their columns, or extend to the right, where no other actor does anything at that time. */
export type Fit = 'strict' | 'loose';

/** The lines of a drawing; undefined: the columns do not fit side by side. */
export function drawColumns(
  columns: readonly RaceColumn[],
  rows: readonly Row[],
  fit: Fit,
): string[] | undefined {
  const widths = widthsOf(columns, rows, fit);
  if (widths === undefined) return undefined;
  const starts = widths.map(
    (_, i) => MARGIN + widths.slice(0, i).reduce((sum, width) => sum + width + GAP, 0),
  );
  const heads = columns.map(({ head }, i) => head.flatMap((line) => hung(line, item(widths, i), 0)));
  const height = Math.max(...heads.map((head) => head.length));
  const beside = (lines: readonly string[]) =>
    lines.reduce((line, text, i) => line.padEnd(item(starts, i)) + text, '').trimEnd();
  const drawn = (row: Row) => {
    const start = item(starts, row.column);
    const width = fit === 'loose' ? WIDTH - start : item(widths, row.column);
    return rowLines(row, width).map((line) => ' '.repeat(start) + line);
  };
  return [
    ...Array.from({ length: height }, (_, line) => beside(heads.map((head) => head[line] ?? ''))),
    beside(widths.map((width) => '-'.repeat(width))),
    ...rows.flatMap(drawn),
  ];
}

function rowLines({ text, changes }: Row, width: number): string[] {
  return [...hung(text, width, 0), ...changes.flatMap((change) => hung(change, width, INDENT))];
}

const INDENT = 2;

/** A text in a column, with its other lines further in. */
function hung(text: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  const room = () => width - indent - (lines.length === 0 ? 0 : INDENT);
  let line = '';
  const end = () => {
    lines.push(' '.repeat(indent + (lines.length === 0 ? 0 : INDENT)) + line.trimEnd());
    line = '';
  };
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length > room()) end();
    const [name = '', ...others] = word.length > room() ? unitsOf(word) : [word];
    line += name;
    for (const unit of others) {
      if (line.length + unit.length > room()) end();
      line += unit;
    }
    line += ' ';
  }
  end();
  return lines;
}

/** Where a word may be broken: before the arguments of a call. */
function unitsOf(word: string): string[] {
  return word.split(/(?<=.)(?=\()/);
}

/** Each column has the width of its longest line; if that is too much, the wide ones share the rest. */
function widthsOf(columns: readonly RaceColumn[], rows: readonly Row[], fit: Fit): number[] | undefined {
  const wants = columns.map(({ head }, i) => {
    const isFree = fit === 'loose' && i < columns.length - 1;
    const own = isFree ? [] : rows.filter(({ column }) => column === i);
    const lines = [...head, ...own.flatMap(({ text, changes }) => [text, ...changes.map(indented)])];
    return { most: Math.max(LEAST, ...lines.map(({ length }) => length)), least: leastOf(lines) };
  });
  let left = WIDTH - MARGIN - GAP * (columns.length - 1);
  if (wants.reduce((sum, { least }) => sum + least, 0) > left) return undefined;
  const widths = wants.map(({ least }) => least);
  left -= widths.reduce((sum, width) => sum + width, 0);
  for (; left > 0; left--) {
    const open = wants.flatMap(({ most }, i) => (item(widths, i) < most ? [i] : []));
    const all = open.length > 0 ? open : widths.map((_, i) => i);
    const narrowest = all.reduce((a, b) => (item(widths, b) < item(widths, a) ? b : a));
    if (open.length === 0 && item(widths, narrowest) >= ROOMY) break;
    widths[narrowest] = item(widths, narrowest) + 1;
  }
  return widths;
}

/** A column is not narrower than this, nor is it made wider without need. */
const LEAST = 16;
const ROOMY = 36;

function indented(line: string): string {
  return ' '.repeat(INDENT) + line;
}

/** The longest word, further in. */
function leastOf(lines: readonly string[]): number {
  const needs = lines.flatMap((line) => {
    const indent = line.length - line.trimStart().length + INDENT;
    return line
      .trim()
      .split(' ')
      .flatMap(unitsOf)
      .map(({ length }) => length + indent);
  });
  return Math.max(LEAST, ...needs);
}

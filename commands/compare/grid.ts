import { item } from '../../model/core/present.ts';

/**
 * Rows of cells in columns that are as wide as they must be, two blanks apart: the first cell and the last are set to
 * the left, numbers between them to the right. All rows have the same number of cells.
 */
export function grid(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...rows.map((row) => item(row, i).length)),
  );
  const placed = (cell: string, i: number) =>
    i === 0 || i === columns - 1 ? cell.padEnd(item(widths, i)) : cell.padStart(item(widths, i));
  return rows.map((row) => `${indent}${row.map(placed).join('  ')}`.trimEnd());
}

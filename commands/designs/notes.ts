import { present } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { kernelFor } from './bound.ts';
import type { DesignEntry } from './entries.ts';
import type { Column, TableCell } from './table.ts';

/** The notes under the table, in the order in which cells refer to them. */
export interface Notes {
  readonly entries: readonly DesignEntry[];
  readonly reasons: readonly string[];
  readonly known: readonly string[];
}

export function notesOf(columns: readonly Column[]): Notes {
  const cells = columns.flatMap(({ cells: all }) => [...all.values()]);
  const entries = cells.flatMap((cell) => (cell.is === 'breaks' ? cell.entries : []));
  return {
    entries: [...new Map(entries.map((entry) => [entry.name, entry])).values()],
    reasons: distinct(cells.flatMap((cell) => (cell.is === 'does not apply' ? [cell.reason.why] : []))),
    known: distinct(cells.flatMap((cell) => (cell.is === "the kernel's" ? cell.known : []))).sort(),
  };
}

/** A table with a line for each law and a column for each design. */
export function lawTable(
  columns: readonly Column[],
  laws: readonly string[],
  printCell: (cell: TableCell) => string,
): string[] {
  const heads = columns.map(({ design }) => `${design.name}<br>${kernelFor(design)}`);
  return [
    `| | ${heads.join(' | ')} |`,
    `|---|${'---|'.repeat(columns.length)}`,
    ...laws.map((law) => {
      const cells = columns.map(({ cells: all }) => printCell(present(all.get(law), law)));
      return `| ${law.split('/').at(-1)} | ${cells.join(' | ')} |`;
    }),
  ];
}

/** `✗ 17, 18`: a cell that refers to notes. */
export function printNoted(cell: TableCell, notes: Notes): string {
  switch (cell.is) {
    case 'holds':
      return '✓';
    case "the kernel's":
      return '○';
    case 'breaks':
      return `✗ ${cell.entries.map((entry) => indexOf(notes.entries, entry) + 1).join(', ')}`;
    case 'does not apply':
      return `– ${letter(notes.reasons.indexOf(cell.reason.why))}`;
    case 'open':
      return '?';
    default:
      return unreachable(cell);
  }
}

function indexOf(entries: readonly DesignEntry[], { name }: DesignEntry): number {
  return entries.findIndex((entry) => entry.name === name);
}

/** The name of a reason by its place: a, b, c. */
export function letter(i: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + i);
}

export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

import { kernelFor } from './bound.ts';
import type { DesignEntry } from './entries.ts';
import { distinct } from './notes.ts';
import type { Column, TableCell } from './table.ts';

/** Traces that a row shows, besides those that have their own number. */
const SHOWN = 3;

/** How many laws each design keeps, with its module and traces of its breaches: rows of docs/designs.md. */
export function printSummary(columns: readonly Column[], moduleOf: (name: string) => string): string[] {
  return [
    '| design | on | ✓ | ○ | – | ✗ |',
    '|---|---|---|---|---|---|',
    ...columns.map((column) => summaryRow(column, moduleOf)),
  ];
}

function summaryRow({ design, cells }: Column, moduleOf: (name: string) => string): string {
  const { name } = design;
  const kernel = kernelFor(design);
  const all = [...cells.values()];
  const number = (is: TableCell['is']) => all.filter((cell) => cell.is === is).length;
  const entries = all.flatMap((cell) => (cell.is === 'breaks' ? cell.entries : []));
  const shown =
    entries.length > 0
      ? tracesOf(entries)
      : `none; \`npm run check -- --kernel '${kernel}, multiLinks = ${name}' --sequences 300\``;
  const counts = ['holds' as const, "the kernel's" as const, 'does not apply' as const].map(number);
  return `| [${name}](../${moduleOf(name)}) | ${kernel} | ${counts.join(' | ')} | ${shown} |`;
}

/** Links to the traces that have a number, or of which there are few; and the number of the others. */
function tracesOf(entries: readonly DesignEntry[]): string {
  const numbered = entries.filter((entry) => alsoCalled(entry) !== '');
  const others = entries.filter((entry) => alsoCalled(entry) === '');
  const shown = distinct([...numbered, ...others.slice(0, SHOWN)].map(traceLink));
  const left = distinct(entries.map(traceLink)).length - shown.length;
  const more = left > 0 ? [`[${left} more](#what-designs-break)`] : [];
  return [...shown, ...more].join(', ');
}

function traceLink(entry: DesignEntry): string {
  return `[${entry.name}](../counterexamples/corpus/${entry.trace})${alsoCalled(entry)}`;
}

/** The number that the review of the series gave a defect, where its sentence begins with it: ` (D3)`. */
function alsoCalled({ sentence }: DesignEntry): string {
  const number = /^([A-Z]\d+(?: and [A-Z]\d+)*): /.exec(sentence)?.[1];
  return number === undefined ? '' : ` (${number})`;
}

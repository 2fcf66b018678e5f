import { count } from '../../counterexamples/text.ts';
import type { Bound } from './bound.ts';
import { kernelFor } from './bound.ts';
import type { Entry } from './entries.ts';
import type { Cell, Column } from './table.ts';
import { LAWS } from './table.ts';

/*
 * The table of designs and laws, as Markdown: docs/designs.md has all of it, the README a line for each design.
 */

/** What is said under the table, in the order in which cells refer to it. */
interface Notes {
  readonly entries: readonly Entry[];
  readonly reasons: readonly string[];
  readonly known: readonly string[];
}

/** The whole page. */
export function printPage(columns: readonly Column[], bound: Bound): string {
  const notes = notesOf(columns);
  return [
    ...introduction(bound),
    '',
    ...LAWS.flatMap(({ title, names }) => ['', `## ${title}`, '', ...section(columns, names, notes)]),
    '',
    '## What designs break',
    '',
    ...notes.entries.map(
      (entry, i) =>
        `${i + 1}. **${entry.name}** ([trace](../counterexamples/corpus/${entry.trace}), \`${entry.law}\`): ${entry.sentence} ${sourceOf(entry)}`,
    ),
    '',
    '## Why a law does not apply',
    '',
    ...notes.reasons.map((why, i) => `- ${letter(i)}: ${why}`),
    '',
    '## What the kernel below breaks',
    '',
    'These are breaches of the kernel that a design stands on, which has them without any multi link as well:',
    `${notes.known.map((name) => `\`${name}\``).join(', ')}. \`conformance/known/\` has the evidence of each.`,
    '',
  ].join('\n');
}

function sourceOf({ evidence }: Entry): string {
  return `(${evidence.replaceAll('  ', ': ')})`;
}

function introduction({ sequences, schedules }: Bound): string[] {
  return [
    '# Designs and laws',
    '',
    'Every [design of multi links](adding-a-design.md) beside every law. `npm run designs` writes this page anew; a test does a',
    'smaller run and compares everything but the numbers.',
    '',
    '| | |',
    '|---|---|',
    '| ✓ *n* | held; its premise was met *n* times while a multi link was there, came or went, or its function was called |',
    '| ✗ *n* | broken by the design: see [note *n*](#what-designs-break), which has a saved trace |',
    '| ○ *n* | broken only as [the kernel below](#what-the-kernel-below-breaks) breaks it without the design |',
    '| – *a* | [does not apply](#why-a-law-does-not-apply): its premise cannot be met, and was not |',
    '',
    `The bound: ${count(sequences)} random sequences of up to 40 calls, and some scenes; the images that they made, in each boot`,
    'configuration; every scenario of the family in which a multi link is attached or detached beside another operation',
    `and a call, on one processor, walked by ${schedules} random schedules. \`explore\` looks at every interleaving of them.`,
  ];
}

function section(columns: readonly Column[], names: readonly string[], notes: Notes): string[] {
  const heads = columns.map(({ design }) => `${design.name}<br>${kernelFor(design)}`);
  return [
    `| | ${heads.join(' | ')} |`,
    `|---|${'---|'.repeat(columns.length)}`,
    ...names.map((law) => {
      const cells = columns.map(({ cells: all }) => printCell(all.get(law)!, notes));
      return `| ${law.split('/').at(-1)} | ${cells.join(' | ')} |`;
    }),
  ];
}

function printCell(cell: Cell, notes: Notes): string {
  switch (cell.is) {
    case 'holds':
      return `✓ ${cell.met}`;
    case "the kernel's":
      return `○ ${cell.met}`;
    case 'breaks':
      return `✗ ${cell.entries.map((entry) => indexOf(notes.entries, entry) + 1).join(', ')}`;
    case 'does not apply':
      return `– ${letter(notes.reasons.indexOf(cell.reason.why))}`;
    case 'open':
      return '?';
  }
}

function indexOf(entries: readonly Entry[], { name }: Entry): number {
  return entries.findIndex((one) => one.name === name);
}

const letter = (i: number) => String.fromCharCode('a'.charCodeAt(0) + i);

function notesOf(columns: readonly Column[]): Notes {
  const cells = columns.flatMap(({ cells: all }) => [...all.values()]);
  const entries = cells.flatMap((cell) => (cell.is === 'breaks' ? cell.entries : []));
  return {
    entries: [...new Map(entries.map((entry) => [entry.name, entry])).values()],
    reasons: distinct(cells.flatMap((cell) => (cell.is === 'does not apply' ? [cell.reason.why] : []))),
    known: distinct(cells.flatMap((cell) => (cell.is === "the kernel's" ? cell.known : []))).sort(),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** The number that a defect was given when the series was read, where its sentence begins with it: `D3`. */
function alsoCalled({ sentence }: Entry): string {
  const number = /^([A-Z]\d+(?: and [A-Z]\d+)*): /.exec(sentence)?.[1];
  return number === undefined ? '' : ` (${number})`;
}

/** The line that begins the table in the README. */
export const README_HEAD = '| design | on | ✓ | ○ | – | ✗ |';

/** The table in the README: each design with its module, how many laws it keeps, and a trace of each that it breaks. */
export function printSummary(columns: readonly Column[], moduleOf: (name: string) => string): string[] {
  return [README_HEAD, '|---|---|---|---|---|---|', ...columns.map((column) => summaryRow(column, moduleOf))];
}

function summaryRow({ design, cells }: Column, moduleOf: (name: string) => string): string {
  const { name } = design;
  const kernel = kernelFor(design);
  const all = [...cells.values()];
  const number = (is: Cell['is']) => all.filter((cell) => cell.is === is).length;
  const entries = all.flatMap((cell) => (cell.is === 'breaks' ? cell.entries : []));
  const traces = distinct(
    entries.map((entry) => `[${entry.name}](counterexamples/corpus/${entry.trace})${alsoCalled(entry)}`),
  );
  const shown =
    traces.length > 0
      ? traces.join(', ')
      : `none; \`npm run check -- --kernel '${kernel}, multiLinks = ${name}' --sequences 300\``;
  const counts = ['holds' as const, "the kernel's" as const, 'does not apply' as const].map(number);
  return `| [${name}](${moduleOf(name)}) | ${kernel} | ${counts.join(' | ')} | ${shown} |`;
}

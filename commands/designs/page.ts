import { count } from '../../counterexamples/text.ts';
import type { DesignBound } from './bound.ts';
import type { DesignEntry } from './entries.ts';
import type { Notes } from './notes.ts';
import { lawTable, letter, notesOf, printNoted } from './notes.ts';
import { printSummary } from './summary.ts';
import type { Column, TableCell } from './table.ts';
import { LAWS } from './table.ts';

/*
 * The table of designs and laws, as Markdown: docs/designs.md.
 */

/** The whole page; `moduleOf` names the file that a design is in. */
export function printPage(
  columns: readonly Column[],
  bound: DesignBound,
  moduleOf: (name: string) => string,
): string {
  const notes = notesOf(columns);
  return [
    ...introduction(bound),
    '',
    '## How many laws each design keeps',
    '',
    'And by which saved traces it breaks others:',
    '',
    ...printSummary(columns, moduleOf),
    ...LAWS.flatMap(({ title, names }) => [
      '',
      `## ${title}`,
      '',
      ...lawTable(columns, names, (cell) => printCell(cell, notes)),
    ]),
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
    '## What the underlying kernel breaks',
    '',
    'These are breaches of the kernel that a design is built on, which has them without any multi link as well:',
    `${notes.known.map((name) => `\`${name}\``).join(', ')}. \`conformance/known/\` has the evidence of each.`,
    '',
  ].join('\n');
}

function sourceOf({ evidence }: DesignEntry): string {
  return `(${evidence.replaceAll('  ', ': ')})`;
}

function introduction({ sequences, schedules }: DesignBound): string[] {
  return [
    '# Designs and laws',
    '',
    'How is one program attached to thousands of functions? Each proposed answer is a design, a behaviour of a kernel:',
    '`6.12, multiLinks = one by one`.',
    '',
    'Every [design of multi links](adding-a-design.md) against every law. `npm run designs` regenerates this page; a test does a',
    'smaller run and compares everything except the numbers.',
    '',
    '| | |',
    '|---|---|',
    '| ✓ *n* | held; its premise was met *n* times while a multi link was attached, being attached or detached, or its function was called |',
    '| ✗ *n* | broken by the design: see [note *n*](#what-designs-break), which has a saved trace |',
    '| ○ *n* | broken only as [the underlying kernel](#what-the-underlying-kernel-breaks) breaks it without the design |',
    '| – *a* | [does not apply](#why-a-law-does-not-apply): its premise cannot be met, and was not |',
    '',
    `The bound: ${count(sequences)} random sequences of up to 40 calls, and some scenes; the images that they generated, in each boot`,
    'configuration; every scenario of the family in which a multi link is attached or detached concurrently with another operation',
    `and a call, on one CPU, walked by ${schedules} random schedules. \`explore\` visits every interleaving of them.`,
  ];
}

/** The count of met premises follows the mark of a law that the design did not break. */
function printCell(cell: TableCell, notes: Notes): string {
  const noted = printNoted(cell, notes);
  return 'met' in cell ? `${noted} ${cell.met}` : noted;
}

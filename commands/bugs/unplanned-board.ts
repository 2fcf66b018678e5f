import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { counted, labelled, WIDTH, wrap } from '../../counterexamples/text.ts';
import type { UnplannedFault } from './unplanned.ts';
import { UNPLANNED_FAULTS } from './unplanned.ts';
import { UNPLANNED_MEASURED } from './unplanned-measured.ts';

/*
 * What the laws alone find of faults that were made without a law in mind: as the answer of `bugs --unplanned`, and as
 * docs/faults.md.
 */

/** The first law that a fault breaks, and the draws of a default run until then, or its scenarios. */
export interface UnplannedFigures {
  readonly law: string;
  readonly draws: number;
  readonly unit: 'sequence' | 'combination' | 'scenario';
}

export interface UnplannedRow {
  readonly fault: UnplannedFault;
  /** Undefined: all searches of a default run hold. */
  readonly figures: UnplannedFigures | undefined;
}

export function unplannedRows(): readonly UnplannedRow[] {
  return UNPLANNED_FAULTS.map((fault) => ({ fault, figures: UNPLANNED_MEASURED[fault.name] }));
}

/** `12 of 21 faults are found`. */
export function unplannedScore(rows: readonly UnplannedRow[]): string {
  const found = rows.filter(({ figures }) => figures !== undefined).length;
  return `The searches of a default run find ${found} of ${counted(rows.length, 'fault')} by laws alone.`;
}

function unplannedLines(rows: readonly UnplannedRow[]): string[] {
  return [
    ...wrap('Faults that were made in the source without a law in mind', WIDTH),
    ...rows.flatMap(({ fault, figures }) => [
      '',
      fault.name,
      ...labelled('fault', fault.sentence),
      ...(figures === undefined
        ? labelled('missed', fault.missed ?? '')
        : labelled('found', `${figures.law}, after ${counted(figures.draws, figures.unit)}`)),
    ]),
    '',
    ...wrap(unplannedScore(rows), WIDTH),
  ];
}

/** The faults, with the figures that `npm run faults` wrote. */
export function unplannedAnswer(): Answer {
  const rows = unplannedRows();
  return {
    text: unplannedLines(rows).join('\n'),
    json: { command: 'bugs', exit: EXIT.HELD, unplanned: rows.map(unplannedJson) },
    exit: EXIT.HELD,
    save: [],
  };
}

function unplannedJson({ fault: { name, sentence, path, missed }, figures }: UnplannedRow) {
  return { name, sentence, path, found: figures ?? null, missed: missed ?? null };
}

export function printUnplanned(rows: readonly UnplannedRow[]): string {
  return [
    '# Faults that no law was written for',
    '',
    'Each row is a change of a few words in the source of the model, which a reader of the kernel chose. The searches of a',
    'default run judge it with seed 1, sequences first, then combinations, then interleavings, by laws alone: no recording is',
    'compared, and no saved trace replayed. `npm run faults` measures them, `npm run check -- bugs --unplanned` prints them,',
    'and `UPDATE=1 npm test -- test/unplanned` writes this page.',
    '',
    unplannedScore(rows),
    '',
    '| fault | in | found by | after |',
    '|---|---|---|---|',
    ...rows.map(({ fault, figures }) => {
      const cells =
        figures === undefined
          ? [`missed: ${fault.missed ?? ''}`, '–']
          : [figures.law, counted(figures.draws, figures.unit)];
      return `| ${[fault.sentence, fault.path, ...cells].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}

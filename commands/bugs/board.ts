import { present } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { ALL_PLANTED } from '../../properties/planted/all.ts';
import type { HistoricalBug } from '../../properties/planted/history/all.ts';
import { HISTORICAL_BUGS, plantedFor } from '../../properties/planted/history/all.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { BugFigures } from './measure.ts';
import { SEEDS } from './measure.ts';
import { MEASURED } from './measured.ts';

/** A historical bug, the law that its planted bug breaks, and how soon that is found. */
export interface BoardRow {
  readonly bug: HistoricalBug;
  /** The planted bug that is measured, and those that re-enact the same fix. */
  readonly planted: readonly string[];
  readonly law: string | undefined;
  /** How the planted bug differs, why it is seldom drawn, or why there is none. */
  readonly notes: readonly string[];
  /** Undefined: not planted, or not measured yet. */
  readonly figures: BugFigures | undefined;
}

const LAWS: ReadonlyMap<string, string> = new Map(
  Object.values(ALL_PLANTED)
    .flat()
    .map(({ name, law }) => [name, law.name]),
);

/** The board, with the figures that were written. */
export function boardRows(): readonly BoardRow[] {
  return HISTORICAL_BUGS.map((bug) => rowOf(bug, MEASURED[bug.name]));
}

export function rowOf(bug: HistoricalBug, figures: BugFigures | undefined): BoardRow {
  const planted = plantedFor(bug);
  const [measured] = planted;
  const law = measured === undefined ? undefined : present(LAWS.get(measured), measured);
  const rare = ATTACH_PLANTED.find(({ name }) => name === measured)?.rare ?? '';
  return { bug, planted, law, notes: [noteOn(bug), rare].filter((note) => note !== ''), figures };
}

/** `ftrace: Fix updating FTRACE_FL_TRAMP (5.10)`. */
export function fixOf({ title, commit, fixed }: HistoricalBug): string {
  return `${title} (${commit === undefined ? '' : `${commit}, `}${fixed})`;
}

/** Why a bug is not planted, or how the planted one differs; empty: it is planted as it was. */
function noteOn({ here }: HistoricalBug): string {
  switch (here.is) {
    case 'planted':
      return '';
    case 'relative':
      return `A relative: ${here.differs}`;
    case 'known':
      return here.differs === undefined
        ? `The modelled kernels have it: ${here.breach}.`
        : `The modelled kernels have a relative, ${here.breach}: ${here.differs}`;
    case 'not planted':
      return `Not planted yet: ${here.part}.`;
    case 'not examined':
      return `Not examined yet: ${here.part}.`;
    case 'not modelled':
      return `Not modelled: ${here.mechanism}.`;
    default:
      return unreachable(here);
  }
}

/** The bugs that are planted, and the others. */
export function byPlanted(rows: readonly BoardRow[]): { planted: BoardRow[]; others: BoardRow[] } {
  const isPlanted = (row: BoardRow) => row.planted.length > 0;
  return { planted: rows.filter(isPlanted), others: rows.filter((row) => !isPlanted(row)) };
}

/** How many bugs there are, and how many of them are recalled. */
export interface BoardTotals {
  readonly bugs: number;
  readonly planted: number;
  /** Of those planted. */
  readonly relatives: number;
  readonly known: number;
  /** Found with most of the seeds; found exhaustively, of those searched so. */
  readonly random: number;
  readonly exhaustive: number;
  readonly searched: number;
  readonly seeds: number;
}

export function totalsOf(rows: readonly BoardRow[]): BoardTotals {
  const number = (is: (row: BoardRow) => boolean) => rows.filter(is).length;
  return {
    bugs: rows.length,
    planted: byPlanted(rows).planted.length,
    relatives: number(({ bug }) => bug.here.is === 'relative'),
    known: number(({ bug }) => bug.here.is === 'known'),
    random: number(({ figures }) => (figures?.random.median ?? null) !== null),
    exhaustive: number(({ figures }) => figures?.exhaustive?.found === true),
    searched: number(({ figures }) => (figures?.exhaustive ?? null) !== null),
    seeds: SEEDS,
  };
}

/** `74 of 79 bugs are planted`, and how many of those are found. */
export function totalsText({ bugs, planted, relatives, known, ...found }: BoardTotals): string {
  return (
    `${planted} of ${bugs} bugs are planted, ${relatives} of these as a relative; ${known} more are breaches of the ` +
    `modelled kernels. Random search finds ${found.random} of ${planted} with most of ${found.seeds} seeds, ` +
    `exhaustive search ${found.exhaustive} of ${found.searched}, each at its shortest.`
  );
}

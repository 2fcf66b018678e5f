import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import type { BoardRow } from './board.ts';
import { boardRows } from './board.ts';
import type { RandomFigures } from './measure.ts';

/** The draws of a run. */
export interface Bound {
  /** Sequences in each kernel, and the kernels. */
  readonly sequences: number;
  readonly profiles: readonly string[];
  /** Attach combinations. */
  readonly combinations: number;
}

/** What a pass of a run is worth: the historical bugs that a run of its size would find. */
export interface Worth {
  readonly found: number;
  readonly of: number;
  /** Those of other searches: their figures are of scenarios that the run does not have. */
  readonly others: number;
}

/**
 * A bug counts as found by a run that draws as often as half of the measured seeds had to, in a kernel that the run
 * draws in.
 */
export function worthOf(bound: Bound, rows: readonly BoardRow[] = boardRows()): Worth {
  const measured = rows.flatMap(({ planted, figures }) =>
    figures === undefined ? [] : [{ name: planted[0] ?? '', random: figures.random }],
  );
  const own = measured.filter(({ random }) => random.unit === 'sequence' || random.unit === 'combination');
  return {
    found: own.filter((row) => isWithin(bound, row)).length,
    of: own.length,
    others: measured.length - own.length,
  };
}

function isWithin(
  { sequences, profiles, combinations }: Bound,
  { name, random: { unit, median } }: { readonly name: string; readonly random: RandomFigures },
): boolean {
  if (median === null) return false;
  if (unit === 'combination') return median <= combinations;
  const profile = ATTACH_PLANTED.find((planted) => planted.name === name)?.profile;
  return profile !== undefined && profiles.includes(profile) && median <= sequences;
}

/** `28 of the 31 historical bugs that sequences and images show; …`. */
export function worthText({ found, of, others }: Worth): string {
  return `${found} of the ${of} historical bugs that sequences and images show; ${others} that need other searches are not counted`;
}

import { grid } from '../../commands/compare/grid.ts';
import { count, percent } from '../../counterexamples/text.ts';
import { EXPLAINED } from './explained.ts';
import type { Result } from './results.ts';

/** The results of some shards: killed mutants as a number, the others by name. */
export interface MeasuredMutants {
  readonly seed: number;
  readonly shards: readonly string[];
  /** Of all shards. */
  readonly mutants: number;
  readonly killed: Readonly<Record<string, number>>;
  /** How many were killed by each law. */
  readonly laws: Readonly<Record<string, number>>;
  readonly left: readonly LeftMutant[];
}

/** A mutant that no law killed. */
export interface LeftMutant {
  readonly name: string;
  readonly area: string;
  readonly is: 'survived' | 'unreached';
}

/** Counts results. */
export function measuredOf(
  results: readonly Result[],
  of: Pick<MeasuredMutants, 'seed' | 'shards' | 'mutants'>,
): MeasuredMutants {
  const killed: Record<string, number> = {};
  const laws: Record<string, number> = {};
  const left: LeftMutant[] = [];
  for (const { name, area, verdict } of results) {
    killed[area] ??= 0;
    if (verdict.is === 'no fault') continue;
    if (verdict.is === 'killed') {
      killed[area]++;
      laws[verdict.by] = (laws[verdict.by] ?? 0) + 1;
    } else left.push({ name, area, is: verdict.is });
  }
  const most = Object.entries(laws).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return {
    ...of,
    killed,
    laws: Object.fromEntries(most),
    left: left.sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** The mutants of a directory by how they ended. */
export interface AreaTally {
  readonly area: string;
  readonly mutants: number;
  readonly killed: number;
  /** Survivors that are explained, and those that are not. */
  readonly explained: number;
  readonly survived: number;
  readonly unreached: number;
}

/** Why a survivor need not be killed, or is not, by its name. */
export type Reasons = Readonly<Record<string, string>>;

/** With what the reason of a survivor begins that a wider search would kill: it counts as one all the same. */
const OUTSIDE = 'outside the bound: ';

function isExcused(reason: string | undefined): boolean {
  return reason !== undefined && !reason.startsWith(OUTSIDE);
}

export function talliesOf({ killed, left }: MeasuredMutants, reasons: Reasons): AreaTally[] {
  return Object.entries(killed)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([area, number]) => {
      const own = left.filter((mutant) => mutant.area === area);
      const open = own.filter(({ name }) => !isExcused(reasons[name]));
      const isReached = ({ is }: LeftMutant) => is === 'survived';
      return {
        area,
        mutants: number + own.length,
        killed: number,
        explained: own.length - open.length,
        survived: open.filter(isReached).length,
        unreached: open.filter((mutant) => !isReached(mutant)).length,
      };
    });
}

/** As rows of cells, the names of the columns first; the share is of the mutants that are not excused. */
export function tableOf(tallies: readonly AreaTally[]): string[][] {
  return [
    ['', 'mutants', 'killed', 'share', 'explained', 'survived', 'not reached'],
    ...tallies.map(({ area, mutants, killed, explained, survived, unreached }) => [
      area,
      count(mutants),
      count(killed),
      percent(killed, mutants - explained),
      ...[explained, survived, unreached].map(count),
    ]),
  ];
}

/** What a run prints: a table, or one JSON object. */
export function printedLines(measured: MeasuredMutants, json: boolean): string[] {
  const tallies = talliesOf(measured, EXPLAINED);
  return json ? [JSON.stringify({ ...measured, tallies })] : grid(tableOf(tallies));
}

/** What `--write` puts into measured.json. */
export function fileText(measured: MeasuredMutants): string {
  return `${JSON.stringify(measured, null, 2)}\n`;
}

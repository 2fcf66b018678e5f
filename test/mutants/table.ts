import { count } from '../../counterexamples/text.ts';
import type { Result } from './results.ts';

/** How many mutants of a area came to which end. */
export interface AreaTally {
  readonly area: string;
  readonly mutants: number;
  readonly killed: number;
  /** Survivors that are explained, and those that are not. */
  readonly explained: number;
  readonly survived: number;
  readonly unreached: number;
}

/** The tally of each area, in the order in which it comes first. */
export function talliesOf(
  results: readonly Result[],
  explained: Readonly<Record<string, string>>,
): AreaTally[] {
  const areas = [...new Set(results.map(({ area }) => area))].sort();
  return areas.map((area) => {
    const own = results.filter((result) => result.area === area);
    const number = (is: (result: Result) => boolean) => own.filter(is).length;
    const isLeft = ({ verdict }: Result) => verdict.is !== 'killed';
    return {
      area,
      mutants: own.length,
      killed: number((result) => !isLeft(result)),
      explained: number((result) => isLeft(result) && explained[result.name] !== undefined),
      survived: number(({ name, verdict }) => verdict.is === 'survived' && explained[name] === undefined),
      unreached: number(({ name, verdict }) => verdict.is === 'unreached' && explained[name] === undefined),
    };
  });
}

/** As rows of cells, the names of the columns first; of the mutants that are no equivalents, the share that is killed. */
export function tableOf(tallies: readonly AreaTally[]): string[][] {
  return [
    ['area', 'mutants', 'killed', 'explained', 'survived', 'not reached', 'killed of the rest'],
    ...tallies.map(({ area, mutants, killed, explained, survived, unreached }) => [
      area,
      ...[mutants, killed, explained, survived, unreached].map(count),
      mutants === explained ? '–' : `${((100 * killed) / (mutants - explained)).toFixed(0)} %`,
    ]),
  ];
}

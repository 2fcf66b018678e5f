import type { Exit, RunVerdict } from '../../counterexamples/answer.ts';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { counted } from '../../counterexamples/text.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import { breachOf, notFound, vacuousText } from '../check/pass.ts';
import type { NamedScenario, ScenarioResult, TaskSearch } from './exploration.ts';
import { newBreach } from './exploration.ts';
import type { Miscounted } from './occurrences.ts';
import { miscounted } from './occurrences.ts';

/* What an exploration has exercised, and what it has left out. */

/** The results of an exploration: those of the first scenarios, in their order. */
export interface TaskExplored {
  readonly search: TaskSearch;
  readonly results: readonly ScenarioResult[];
}

/** A scenario that was left out, or a law that was never exercised, leaves the question open. */
export function exitOf(explored: TaskExplored): Exit {
  const { search, results } = explored;
  if (results.some((result) => newBreach(result) !== undefined)) return EXIT.BROKEN;
  if (miscountedIn(explored).length > 0) return EXIT.BROKEN;
  const vacuous = search.laws.some((law) => isVacuous(explored, law));
  const stopped = unfinished(explored) > 0 || results.some(({ end }) => end === 'states');
  return worstExit(vacuous || stopped || search.planted !== undefined ? [EXIT.INCONCLUSIVE] : []);
}

/** Scenarios that were not explored, or not to their end. */
export function unfinished({ search, results }: TaskExplored): number {
  return search.scenarios.length - results.filter(({ end }) => end !== 'stopped').length;
}

export function witnessed({ results }: TaskExplored, { name }: TaskLaw): number {
  return sum(results, ({ witnesses }) => witnesses.find(([law]) => law === name)?.[1] ?? 0);
}

export function sum(results: readonly ScenarioResult[], of: (result: ScenarioResult) => number): number {
  return results.reduce((all, result) => all + of(result), 0);
}

/** The law was not exercised, which leaves it open. */
export function isVacuous(explored: TaskExplored, law: TaskLaw): boolean {
  return witnessed(explored, law) === 0 && !isUnmet(explored, law);
}

/** No scenario of this kernel can meet the premise of the law, and the search may say so. */
export function isUnmet(explored: TaskExplored, law: TaskLaw): boolean {
  const { search, results } = explored;
  const isWhole = results.every(({ end }) => end === 'complete' || end === 'refused');
  return (
    search.leavesUnmet === true && isWhole && unfinished(explored) === 0 && witnessed(explored, law) === 0
  );
}

export function verdictOfSearch(explored: TaskExplored, isFound: boolean): RunVerdict {
  const { search, results } = explored;
  const { planted, laws, states = 0, from, preemptions = 0 } = search;
  const missing = unfinished(explored);
  const short = results.filter(({ end }) => end === 'states').length;
  const wrong = miscountedIn(explored).length;
  const open = [
    ...(missing === 0 ? [] : [`${counted(missing, 'scenario')} not explored`]),
    ...(short === 0 ? [] : [`${counted(short, 'scenario')} with more states than the bound`]),
    ...(missing > 0
      ? []
      : vacuousText(laws.filter((law) => isVacuous(explored, law)).length, 'interleaving')),
    ...notFound(planted),
  ];
  const more =
    short > 0
      ? { '--states': String(10 * states) }
      : results.some(({ end }) => end === 'preemptions')
        ? { '--preemptions': String(preemptions + 1) }
        : from.is === 'family' && from.operations === 3
          ? { '--cpus': String(from.cpus + 1) }
          : { '--operations': '3' };
  return {
    ...breachOf(isFound, planted),
    wrong: isFound || wrong === 0 ? [] : [`${counted(wrong, 'listed breach')} miscounted`],
    known: results.flatMap(({ breaches }) => breaches.flatMap(({ known }) => known ?? [])),
    open: isFound ? [] : open,
    next: { options: missing > 0 ? {} : more },
  };
}

/** A listed breach in a scenario that shows it more often, or less, than the table says. */
export interface MiscountedIn extends Miscounted {
  readonly scenario: NamedScenario;
}

/** Those of scenarios that were checked against everything that the table counts. */
export function miscountedIn({ search, results }: TaskExplored): MiscountedIn[] {
  if (search.unasked.length === 0) return [];
  return results.flatMap((result, i) => {
    const scenario = search.scenarios[i];
    return scenario === undefined
      ? []
      : miscounted(scenario, result).map((miscounted) => ({ ...miscounted, scenario }));
  });
}

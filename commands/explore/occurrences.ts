import type { Occurrences } from '../../conformance/known/task-occurrences.ts';
import { OCCURRENCES } from '../../conformance/known/task-occurrences.ts';
import type { NamedScenario, ScenarioResult } from './exploration.ts';

/** A listed breach that a scenario shows as often as expected, or not. */
export interface Miscounted {
  readonly known: string;
  readonly pinned: number;
  readonly seen: number;
}

/**
 * The listed breaches that a scenario shows more often, or less, than the table says: a known breach may now hide
 * another one. A scenario that is not in the table has no expectation.
 */
export function miscounted(
  scenario: NamedScenario,
  result: ScenarioResult,
  pinned: Occurrences = OCCURRENCES,
): Miscounted[] {
  const wanted = pinned[keyOf(scenario)];
  if (wanted === undefined || result.end !== 'complete') return [];
  const seen = occurrencesIn(result);
  const names = new Set([...Object.keys(wanted), ...Object.keys(seen)]);
  return [...names].flatMap((known) => {
    const counts = { pinned: wanted[known] ?? 0, seen: seen[known] ?? 0 };
    return counts.pinned === counts.seen ? [] : [{ known, ...counts }];
  });
}

/** `6.12, 2 cpus, 1 call: attach f1, detach f1`. */
export function keyOf({ name, scenario }: NamedScenario): string {
  const { profile, cpus, callers } = scenario;
  return `${profile}, ${cpus} cpus, ${callers.length} calls: ${name}`;
}

/** How often a scenario shows each listed breach: in this many moves and ends. */
export function occurrencesIn({ breaches }: ScenarioResult): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { known, count } of breaches)
    if (known !== undefined) counts[known] = (counts[known] ?? 0) + count;
  return counts;
}

import type { OperationFate } from '../../checker/interleavings/overlap.ts';
import { isRefusedAtOnce, nothingOverlapped } from '../../checker/interleavings/overlap.ts';
import { THIRD } from '../../checker/interleavings/triples.ts';
import { counted } from '../../counterexamples/text.ts';
import { printAction } from '../../model/action-text.ts';
import { item } from '../../model/core/present.ts';
import { requestsOf } from '../../properties/observed/scenario.ts';
import type { NamedScenario, ScenarioResult, TaskSearch } from './exploration.ts';

/** An operation that was refused in its first step, whatever the other clients did: it overlaps with nothing. */
export interface RefusedOperation {
  /** The number of its client, from 1. */
  readonly client: number;
  readonly call: string;
  readonly answers: readonly string[];
}

export function refusedOperations(
  { scenario }: NamedScenario,
  result: ScenarioResult,
): readonly RefusedOperation[] {
  return refusedFates(result).map(({ client, nth, answers }) => ({
    client: client + 1,
    call: printAction(item(item(scenario.clients, client), nth), scenario),
    answers: answers.map(String),
  }));
}

/** Undecided until all states have been visited. */
function refusedFates({ end, fates }: ScenarioResult): readonly OperationFate[] {
  return end === 'complete' ? fates.filter(isRefusedAtOnce) : [];
}

/**
 * None of it was interleaved. Calls overlap with one another, and with an interrupt; if there are clients, their
 * operations count.
 */
export function isVacuousScenario({ scenario }: NamedScenario, { end, fates }: ScenarioResult): boolean {
  const { clients, callers } = scenario;
  if (clients.length > 0) return end === 'complete' && nothingOverlapped(fates);
  return callers.length < 2 && callers.every((script) => requestsOf(script).length === 1);
}

/** A line on built-in scenarios whose operations are refused at once, each by its name; nothing if there are none. */
export function refusedLines({ scenarios }: TaskSearch, results: readonly ScenarioResult[]): string[] {
  const tally = new Map<string, number>();
  const vacuous: string[] = [];
  results.forEach((result, i) => {
    const own = item(scenarios, i);
    for (const { client, nth, answers } of refusedFates(result)) {
      const line = `${operationName(own, client, nth)}: ${answers.join(' or ')}`;
      tally.set(line, (tally.get(line) ?? 0) + 1);
    }
    if (isVacuousScenario(own, result)) vacuous.push(`      ${own.name} in ${own.scenario.profile}`);
  });
  return [
    ...(tally.size === 0 ? [] : ['  ? refused at once: they overlap with nothing']),
    ...[...tally].map(([line, times]) => `      ${line}, in ${counted(times, 'scenario')}`),
    ...(vacuous.length === 0 ? [] : ['  ? vacuous: no operation overlaps with anything', ...vacuous]),
  ];
}

/** Their line in a summary. */
export function refusedText({ scenarios }: TaskSearch, results: readonly ScenarioResult[]): string[] {
  const refused = results.reduce((sum, result) => sum + refusedFates(result).length, 0);
  const vacuous = results.filter((result, i) => isVacuousScenario(item(scenarios, i), result)).length;
  return [
    ...(refused === 0 ? [] : [`${counted(refused, 'operation')} refused at once`]),
    ...(vacuous === 0 ? [] : [`${counted(vacuous, 'scenario')} where nothing overlaps`]),
  ];
}

/** `attach f1`, as the name of its scenario has it. */
function operationName({ name, scenario }: NamedScenario, client: number, nth: number): string {
  const operation = name.split(', ')[client];
  if (operation === undefined) return printAction(item(item(scenario.clients, client), nth), scenario);
  return nth === 0 ? item(operation.split(THIRD), 0) : operation;
}

import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { INTERRUPTIONS } from '../../../properties/observed/scenario.ts';
import { clientName, taskName } from '../actor-names.ts';
import type { ToldSchedule } from './told.ts';

/** A scenario with a path through it. */
export interface ScheduleCase {
  readonly scenario: Scenario;
  readonly told: readonly ToldSchedule[];
}

/** Cases with one part less, those with the largest part removed first. */
export function* simplerThan({ scenario, told }: ScheduleCase): Generator<ScheduleCase> {
  const { callers, clients, setup, cpus } = scenario;
  for (let i = 0; i < clients.length; i++)
    yield {
      scenario: { ...scenario, clients: without(clients, i) },
      told: withoutActor(told, clientName, clients.length, i),
    };
  for (let i = 0; i < callers.length; i++)
    yield {
      scenario: { ...scenario, callers: without(callers, i) },
      told: withoutActor(told, taskName, callers.length, i),
    };
  if (cpus > 1) yield { scenario: { ...scenario, cpus: cpus - 1 }, told };
  for (let size = setup.length; size >= 1; size = Math.floor(size / 2))
    for (let from = 0; from < setup.length; from += size)
      yield {
        scenario: { ...scenario, setup: [...setup.slice(0, from), ...setup.slice(from + size)] },
        told,
      };
  for (const [i, script] of clients.entries())
    for (let j = 0; j < script.length; j++)
      yield { scenario: { ...scenario, clients: clients.with(i, without(script, j)) }, told };
  for (const [i, script] of callers.entries())
    for (const kind of INTERRUPTIONS) {
      const { [kind]: own, ...caller } = script;
      if (own === undefined) continue;
      yield { scenario: { ...scenario, callers: callers.with(i, caller) }, told };
      yield { scenario: { ...scenario, callers: callers.with(i, { ...caller, call: own }) }, told };
    }
  for (const [i, { idle, ...caller }] of callers.entries())
    if (idle) yield { scenario: { ...scenario, callers: callers.with(i, caller) }, told };
  const { retries, ...once } = scenario;
  if (retries) yield { scenario: once, told };
  const used = functionsUsedIn(scenario);
  if (used.length < scenario.functions.length) yield { scenario: { ...scenario, functions: used }, told };
}

/** Functions that some action or call names, numbered in their order. */
function functionsUsedIn({ functions, setup, clients, callers }: Scenario): readonly TracedFunction[] {
  const text = JSON.stringify([setup, clients, callers]);
  const used = functions.filter(({ name, module }) =>
    [name, module].some((name) => text.includes(`"${name}"`)),
  );
  return used.length === 0 ? functions : used.map((fn, i) => ({ ...fn, id: i + 1 }));
}

function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, i) => i !== index);
}

/** Moves without those of one actor; later actors move up, in their names and in their moves. */
function withoutActor(
  told: readonly ToldSchedule[],
  nameOf: (index: number) => string,
  count: number,
  gone: number,
): ToldSchedule[] {
  const names = Array.from({ length: count }, (_, i) => nameOf(i));
  return told.flatMap(({ who, move }) => {
    const index = names.indexOf(who);
    if (index < gone) return [{ who, move }];
    return index === gone ? [] : [{ who: nameOf(index - 1), move: move - (1 << 3) }];
  });
}

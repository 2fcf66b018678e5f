import type { PromisedClient, Promises } from '../../model/contract/promises.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import { promised } from '../../model/promised.ts';
import type { DoneOperation } from '../law/interleaving-law.ts';
import { perScenario } from './per-scenario.ts';
import type { Scenario } from './scenario.ts';

const POSSIBLE = perScenario<readonly Promises[]>();
const FINAL = perScenario<readonly Promises[]>();

/** The worlds that a call may find: operations of one client keep their order, those of two clients do not. */
export function possibleWorlds(
  scenario: Scenario,
  before: readonly DoneOperation[],
  during: readonly DoneOperation[],
): readonly Promises[] {
  return POSSIBLE(scenario, [before, during], () =>
    distinct(
      finalWorlds(scenario, before).flatMap((start) =>
        ordersOf(during).flatMap((order) => worldsOf(start, order)),
      ),
    ),
  );
}

/**
 * A world, and those after each of some operations. A refused operation leaves what its errno says, and may show for
 * a while as if it had been accepted.
 */
function worldsOf(start: Promises, [first, ...others]: readonly DoneOperation[]): Promises[] {
  if (first === undefined) return [start];
  const { action, answer } = first;
  const answers = answer === undefined || answer === 0 ? ([0] as const) : ([0, answer] as const);
  return [start, ...answers.flatMap((item) => worldsOf(after(start, action, item), others))];
}

/** The worlds that operations may leave when all of them have ended. */
export function finalWorlds(scenario: Scenario, done: readonly DoneOperation[]): readonly Promises[] {
  return FINAL(scenario, done, () => {
    const { profile, functions, setup } = scenario;
    const boot = setup.reduce<Promises>(
      (p, action) => after(p, action, 0),
      nothingPromised(profile, functions),
    );
    return distinct(
      ordersOf(done).map((order) => order.reduce((p, { action, answer }) => after(p, action, answer), boot)),
    );
  });
}

/**
 * The same worlds, and those without the clients that were counted as missing a call. Their absence shows in what
 * others see only if they would have replaced the function's return value.
 */
export function orMissed(worlds: readonly Promises[], missed: ReadonlySet<string>): readonly Promises[] {
  const isMissing = ({ who, program }: PromisedClient) => program?.kind === 'fmod_ret' && missed.has(who);
  return distinct(
    worlds.flatMap((world) =>
      subsets(world.clients.filter(isMissing)).map((absent) => ({
        ...world,
        clients: world.clients.filter((client) => !absent.includes(client)),
      })),
    ),
  );
}

function subsets<T>([first, ...others]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  return subsets(others).flatMap((some) => [some, [first, ...some]]);
}

function distinct(worlds: readonly Promises[]): Promises[] {
  return [...new Map(worlds.map((world) => [JSON.stringify(world), world])).values()];
}

function after(p: Promises, action: DoneOperation['action'], answer: DoneOperation['answer']): Promises {
  return promised(p, action, { errno: answer ?? 0, warnings: [] });
}

/** The orders in which operations of several clients can have run, each client's in its own order. */
export function ordersOf(done: readonly DoneOperation[]): DoneOperation[][] {
  if (done.length === 0) return [[]];
  const firsts = done.filter(({ client }, i) => done.findIndex((other) => other.client === client) === i);
  return firsts.flatMap((first) =>
    ordersOf(done.filter((other) => other !== first)).map((rest) => [first, ...rest]),
  );
}

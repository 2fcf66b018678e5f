import type { Scenario } from '../scenario.ts';
import { Space } from '../space.ts';
import type { Same } from './told.ts';
import type { Option } from './walk.ts';
import { walk } from './walk.ts';

/** Orders that are tried at the most. */
const ORDERS_MOST = 720;

/**
 * Whether a scenario breaks a law even if nothing is interleaved: each operation and each call runs from its start to its
 * end, in some order. Then the breach is one for the search of sequences of calls.
 */
export function breaksAtomically(scenario: Scenario, { laws, program, isSame }: Same): boolean {
  const actors = [
    ...scenario.clients.map((_, i) => `client#${i + 1}`),
    ...scenario.callers.map((_, i) => `task#${i + 1}`),
  ];
  const space = new Space(scenario, { program, symmetric: false });
  let tried = 0;
  for (const order of orders(actors)) {
    if (tried++ >= ORDERS_MOST) break;
    const one = walk(
      space,
      laws,
      (options) => first(options, order),
      () => false,
    );
    if (one.breach !== undefined && isSame(one.breach, scenario)) return true;
  }
  return false;
}

/** Background work first, then the first actor of the order that can go on; nobody is preempted, nor sleeps. */
function first(options: readonly Option[], order: readonly string[]): number {
  const work = options.findIndex(({ who }) => !order.includes(who));
  if (work >= 0) return work;
  for (const actor of order) {
    const own = options.findIndex(({ who }) => who === actor);
    if (own >= 0) return own;
  }
  return 0;
}

function* orders(actors: readonly string[]): Generator<string[]> {
  if (actors.length === 0) yield [];
  for (const actor of actors)
    for (const rest of orders(actors.filter((other) => other !== actor))) yield [actor, ...rest];
}

import type { Scenario } from '../scenario.ts';
import { Space } from '../space.ts';
import type { Same } from './told.ts';
import type { Schedule } from './walk.ts';
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
    const one = walk(space, laws, inOrder(order), () => false);
    if (one.breach !== undefined && isSame(one.breach, scenario)) return true;
  }
  return false;
}

/** Background work first, then the first actor of the order that can go on; nobody is preempted, nor sleeps. */
function inOrder(order: readonly string[]): Schedule {
  const rank = (who: string) => {
    const at = order.indexOf(who);
    return at < 0 ? 1 : -at;
  };
  return { rank, pick: () => 0, ran: () => {} };
}

function* orders(actors: readonly string[]): Generator<string[]> {
  if (actors.length === 0) yield [];
  for (const actor of actors)
    for (const rest of orders(actors.filter((other) => other !== actor))) yield [actor, ...rest];
}

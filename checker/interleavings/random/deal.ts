import type { Action } from '../../../model/client/all.ts';
import type { Promises } from '../../../model/contract/promises.ts';
import { item } from '../../../model/core/present.ts';
import { unreachable } from '../../../model/core/unreachable.ts';
import { promised } from '../../../model/promised.ts';
import { searchedCall } from '../../sequences/calls/all.ts';
import { linkMadeBy } from '../../sequences/calls/link-made.ts';
import { fitted, isLikely } from '../../sequences/likely.ts';
import { gaveBack, takenBack } from './take-back.ts';

/** A client's wish: an action, undoing an attached object, or freeing the memory of a detached one. */
export type DealtWish =
  | { readonly wants: 'action'; readonly action: Action }
  | { readonly wants: 'take back'; readonly which: number }
  | { readonly wants: 'give back' };

/** Operations of all clients together, at most: laws check every order of them. */
const OPERATIONS_MOST = 4;

/** The setup, its promises, and the number of clients that get the rest. */
interface Start {
  readonly setup: readonly Action[];
  readonly promises: Promises;
  readonly clients: number;
}

/** Deals operations to clients. An object belongs to the first client that uses it: no other client touches it. */
export function dealt(start: Start, wishes: readonly (readonly [DealtWish, number])[]): Action[][] {
  const owners = new Map<string, number>();
  const clients = Array.from({ length: start.clients }, () => ({
    script: [] as Action[],
    promises: start.promises,
    gone: [] as string[],
  }));
  let operations = 0;
  for (const [wish, client] of wishes) {
    if (operations === OPERATIONS_MOST) break;
    const hand = item(clients, client);
    const action = actionFor(wish, start.setup, hand);
    if (action === undefined) continue;
    const objects = searchedCall(action).objectsOf(action);
    if (objects.some((object) => (owners.get(object) ?? client) !== client || hand.gone.includes(object)))
      continue;
    if (isLinkAgain(action, [...start.setup, ...hand.script])) continue;
    for (const object of objects) owners.set(object, client);
    if (wish.wants === 'give back') hand.gone.push(...objects);
    hand.script.push(action);
    hand.promises = promised(hand.promises, action, { errno: 0, warnings: [] });
    operations++;
  }
  return clients.map(({ script }) => script).filter((script) => script.length > 0);
}

/**
 * Whether a link reuses the name of an earlier one, which is freed in the background: a new one is not in its memory.
 */
function isLinkAgain(action: Action, before: readonly Action[]): boolean {
  const name = linkMadeBy(action)?.link;
  return name !== undefined && before.some((action) => linkMadeBy(action)?.link === name);
}

/** The action of a wish; undefined when it is not sensible. */
function actionFor(
  wish: DealtWish,
  setup: readonly Action[],
  { script, promises }: { readonly script: readonly Action[]; readonly promises: Promises },
): Action | undefined {
  switch (wish.wants) {
    case 'action':
      return likelyOne(promises, fitted(promises, wish.action));
    case 'take back':
      return takenBack(promises, wish.which);
    case 'give back':
      return gaveBack(setup, script);
    default:
      return unreachable(wish);
  }
}

function likelyOne(promises: Promises, action: Action): Action | undefined {
  return isLikely(promises, action) ? action : undefined;
}

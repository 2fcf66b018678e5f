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
export const OPERATIONS_MOST = 4;

/** The setup, its promises, what clients do already, and the number of clients that get the rest. */
interface Start {
  readonly setup: readonly Action[];
  readonly promises: Promises;
  readonly given?: readonly (readonly Action[])[];
  readonly clients: number;
  /** Operations of all clients together. */
  readonly most?: number;
}

/** What a client does, and what it may rely on after that. */
interface Hand {
  readonly script: Action[];
  promises: Promises;
  readonly gone: string[];
}

/** Deals operations to clients. An object belongs to the first client that uses it: no other client touches it. */
export function dealt(start: Start, wishes: readonly (readonly [DealtWish, number])[]): Action[][] {
  const { given = [], most = OPERATIONS_MOST } = start;
  const owners = new Map<string, number>();
  const clients = Array.from({ length: start.clients }, (_, i) => handOf(start, given[i] ?? []));
  for (const [i, { script }] of clients.entries())
    for (const object of objectsIn(script)) if (!owners.has(object)) owners.set(object, i);
  let operations = given.flat().length;
  for (const [wish, client] of wishes) {
    if (operations >= most) break;
    const hand = item(clients, client);
    const action = actionFor(wish, start.setup, hand);
    if (action === undefined) continue;
    const objects = searchedCall(action).objectsOf(action);
    if (objects.some((object) => (owners.get(object) ?? client) !== client || hand.gone.includes(object)))
      continue;
    if (isLinkAgain(action, [...start.setup, ...hand.script])) continue;
    for (const object of objects) owners.set(object, client);
    add(hand, action, wish.wants === 'give back');
    operations++;
  }
  return clients.map(({ script }) => script).filter((script) => script.length > 0);
}

/** The objects that a client uses. */
export function objectsIn(script: readonly Action[]): readonly string[] {
  return script.flatMap((action) => searchedCall(action).objectsOf(action));
}

function handOf({ promises }: Start, given: readonly Action[]): Hand {
  const hand: Hand = { script: [], promises, gone: [] };
  for (const action of given) add(hand, action, action.do === 'kfree' || action.do === 'close(prog)');
  return hand;
}

/** Whether it succeeds is not known before it runs. */
function add(hand: Hand, action: Action, givesBack: boolean): void {
  hand.script.push(action);
  hand.promises = promised(hand.promises, action, { errno: 0, warnings: [] });
  if (givesBack) hand.gone.push(...searchedCall(action).objectsOf(action));
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
  { script, promises }: Hand,
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

import type { Action } from '../../model/client/all.ts';
import { item, present } from '../../model/core/present.ts';
import { searchedCall } from '../sequences/calls/all.ts';
import type { NextNumber } from '../sequences/calls/searched-call.ts';
import type { FamilyScenario } from './family.ts';

/**
 * A scenario of two operations, in which the first client continues with a third: it undoes its first, or frees the
 * memory.
 */
export function withThird({ name, scenario }: FamilyScenario): FamilyScenario {
  const [script, ...others] = scenario.clients;
  const first = item(present(script, 'first client'), 0);
  const { word, action } = nextAfter(first);
  const [named, ...rest] = name.split(', ');
  return {
    name: [`${named}${THIRD}${word}`, ...rest].join(', '),
    scenario: { ...scenario, clients: [[first, action], ...others] },
  };
}

/** The text in a name between the first client's operation and its next one. */
export const THIRD = ' then ';

function nextAfter(action: Action): NextNumber {
  const next = searchedCall(action).next?.(action);
  if (next === undefined) throw new Error(`nothing comes after ${action.do}`);
  return next;
}

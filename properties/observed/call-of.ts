import type { ActionOf } from '../../model/client/all.ts';
import { item } from '../../model/core/present.ts';
import type { Happening } from '../law/interleaving-law.ts';
import type { Scenario } from './scenario.ts';

/** The finished call: the caller's own, or its interrupt's. */
export function callOf(
  { callers }: Scenario,
  { caller, by }: Extract<Happening, { readonly is: 'call over' }>,
): ActionOf<'call'> {
  const script = item(callers, caller);
  return { do: 'call', ...(by === 'task' ? script.call : script[by]!) };
}

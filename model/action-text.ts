import type { Action } from './client/all.ts';
import { ALL_CALLS, callOf } from './client/all.ts';
import type { Spelling } from './client/spelling.ts';
import { lineOf } from './client/spelling.ts';
import { InputError } from './core/input-error.ts';

/** An action in the C spelling of its kernel, as traces and reports have it. */
export function printAction(action: Action, spelling: Spelling): string {
  return callOf(action).print(action, spelling);
}

/** Reads an action as `printAction()` writes it; an InputError says what cannot be read. */
export function parseAction(text: string, spelling: Spelling): Action {
  const line = lineOf(text);
  for (const call of ALL_CALLS) {
    const action = call.parse(line, spelling);
    if (action !== undefined) return action;
  }
  if (line.name === '') throw new InputError(`"${text}" is no action`);
  throw new InputError(`"${text}": there is no action ${line.name} like this`);
}

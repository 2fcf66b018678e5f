import type { Declaring } from '../counterexamples/sequences/attach-trace.ts';
import { declares } from '../counterexamples/sequences/attach-trace.ts';
import { InputError } from '../model/core/input-error.ts';
import type { TracedFunction } from '../model/trampoline/traced-function.ts';

/** A function, or its declaration: `f1 = function(u64, ptr -> s32)`. */
export type Declaration = string | TracedFunction;

/** Functions from their declarations. Throws an InputError for a text that declares none. */
export function declaredFunctions(list: readonly Declaration[]): readonly TracedFunction[] {
  const declaring: Declaring = { functions: [] };
  for (const item of list) {
    if (typeof item !== 'string') declaring.functions.push(item);
    else if (!declares(declaring, item)) throw new InputError(`"${item}" is not a declaration of a function`);
  }
  return declaring.functions;
}

import type { Declaring } from '../counterexamples/sequences/attach-trace.ts';
import { declares } from '../counterexamples/sequences/attach-trace.ts';
import { InputError } from '../model/core/input-error.ts';
import type { TracedFunction } from '../model/trampoline/traced-function.ts';

/** Functions by their declarations: `f1 = function(u64, ptr -> s32)`. Throws an InputError for what is none. */
export function declaredFunctions(lines: readonly string[]): readonly TracedFunction[] {
  const declaring: Declaring = { functions: [] };
  for (const line of lines)
    if (!declares(declaring, line)) throw new InputError(`"${line}" declares nothing`);
  return declaring.functions;
}

import fc from 'fast-check';
import type { Action } from '../../../model/action.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { callOf } from '../../attach/draw.ts';
import type { CallerScript } from '../scenario.ts';

const CALLERS_MOST = 3;

/** Who calls which functions, once it is known what is done in a scenario. */
type Callers = (actions: readonly Action[]) => CallerScript[];

/**
 * One to three tasks that make a call each: now and then the idle task, or one with an interrupt. Where a module
 * comes or goes, nobody calls a function of one: who does holds the module.
 */
export function callersFor(functions: readonly TracedFunction[]): fc.Arbitrary<Callers> {
  const call = fc.record({ fn: fc.constantFrom(...functions), salt: fc.nat(7) });
  const script = fc.record({
    made: call,
    interrupt: fc.option(call, { freq: 3 }),
    idle: fc.nat(7).map((n) => n === 0),
  });
  return fc
    .array(script, { minLength: 1, maxLength: CALLERS_MOST, size: 'max' })
    .map((drawn) => (actions) => {
      const moves = actions.some(({ do: name }) => name === 'init_module' || name === 'delete_module');
      const mayCall = ({ fn }: Drawn) => !moves || fn.module === '';
      return drawn.flatMap(({ made, interrupt, idle }) =>
        mayCall(made)
          ? [
              {
                call: requestOf(made),
                ...(idle ? { idle } : {}),
                ...(!idle && interrupt !== null && mayCall(interrupt)
                  ? { interrupt: requestOf(interrupt) }
                  : {}),
              },
            ]
          : [],
      );
    });
}

interface Drawn {
  readonly fn: TracedFunction;
  readonly salt: number;
}

function requestOf({ fn, salt }: Drawn): CallerScript['call'] {
  const { do: _, ...request } = callOf(fn, salt) as Extract<Action, { readonly do: 'call' }>;
  return request;
}

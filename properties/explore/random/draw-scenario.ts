import fc from 'fast-check';
import type { Action } from '../../../model/action.ts';
import { bootKernel } from '../../../model/kernel.ts';
import { promised } from '../../../model/promised.ts';
import type { Promises } from '../../../model/promises.ts';
import { nothingPromised } from '../../../model/promises.ts';
import { apply } from '../../../model/step.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { actionsFor, callOf } from '../../attach/draw.ts';
import { isLikely } from '../../attach/likely.ts';
import type { CallerScript, Scenario } from '../scenario.ts';
import { objectsOf } from './objects.ts';

/** Actions that are drawn for the setup and for all clients; most are not sensible where they come, and passed over. */
const SETUP_DRAWN = 40;
const OPERATIONS_DRAWN = 60;
/** Operations of one client, clients, callers and processors at the most. */
const OPERATIONS_MOST = 3;
const CLIENTS_MOST = 3;
const CALLERS_MOST = 3;
const PROCESSORS_MOST = 3;

/** Scenarios for these functions: what is set up, who operates, who calls, on how many processors. */
export function scenariosFor(profile: string, functions: readonly TracedFunction[]): fc.Arbitrary<Scenario> {
  const action = actionsFor(profile, functions).filter(isOperation);
  const call = fc.tuple(fc.constantFrom(...functions), fc.nat(7)).map(([fn, salt]) => callOf(fn, salt));
  return fc
    .record({
      before: fc.array(action, { maxLength: SETUP_DRAWN, size: 'max' }),
      during: fc.array(fc.tuple(action, fc.nat(CLIENTS_MOST - 1)), {
        minLength: OPERATIONS_DRAWN / 2,
        maxLength: OPERATIONS_DRAWN,
        size: 'max',
      }),
      callers: fc.array(fc.tuple(call, fc.option(call, { freq: 3 })), {
        minLength: 1,
        maxLength: CALLERS_MOST,
        size: 'max',
      }),
      processors: fc.integer({ min: 1, max: PROCESSORS_MOST }),
    })
    .map(({ before, during, callers, processors }) => {
      const [setup, promises] = settledSetup(profile, functions, before);
      return {
        profile,
        functions,
        setup,
        clients: dealt(promises, during),
        callers: callers.map(([made, interrupt]) => scriptOf(made, interrupt)),
        processors,
      };
    });
}

/** Calls are made by callers; failures and the passing of time are not for clients to order. */
function isOperation({ do: name }: Action): boolean {
  return name !== 'call' && name !== 'fail' && name !== 'settle' && name !== 'kernel.ftrace_enabled';
}

function scriptOf(call: Action, interrupt: Action | null): CallerScript {
  const requestOf = (action: Action) => {
    const { do: _, ...request } = action as Extract<Action, { readonly do: 'call' }>;
    return request;
  };
  return interrupt === null
    ? { call: requestOf(call) }
    : { call: requestOf(call), interrupt: requestOf(interrupt) };
}

/** Those of the actions that are sensible where they come, and succeed. */
function settledSetup(
  profile: string,
  functions: readonly TracedFunction[],
  drawn: readonly Action[],
): [readonly Action[], Promises] {
  const k = bootKernel({ profile, boot: 'default', functions });
  const setup: Action[] = [];
  let promises = nothingPromised(profile, functions);
  for (const action of drawn) {
    if (!isLikely(promises, action)) continue;
    const outcome = apply(k, action);
    if (outcome.died !== undefined) break;
    if (outcome.errno !== 0) continue;
    setup.push(action);
    promises = promised(promises, action, outcome);
  }
  return [setup, promises];
}

/** Deals operations to clients. An object belongs to the first client that uses it: nobody else touches it. */
function dealt(start: Promises, drawn: readonly (readonly [Action, number])[]): Action[][] {
  const owners = new Map<string, number>();
  const clients = Array.from({ length: CLIENTS_MOST }, () => ({ script: [] as Action[], promises: start }));
  for (const [action, client] of drawn) {
    const one = clients[client]!;
    const objects = objectsOf(action);
    if (one.script.length >= OPERATIONS_MOST || !isLikely(one.promises, action)) continue;
    if (objects.some((object) => (owners.get(object) ?? client) !== client)) continue;
    for (const object of objects) owners.set(object, client);
    one.script.push(action);
    one.promises = promised(one.promises, action, { errno: 0, warnings: [] });
  }
  return clients.map(({ script }) => script).filter((script) => script.length > 0);
}

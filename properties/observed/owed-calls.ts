import type { Promises } from '../../model/contract/promises.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { CallOver } from '../law/interleaving-law.ts';
import { callOf } from './call-of.ts';
import type { ExpectedCall } from './expectation.ts';
import { possibleCalls } from './expectation.ts';
import { missedIn } from './misses.ts';
import { perScenario } from './per-scenario.ts';
import { orMissed, possibleWorlds } from './possible-worlds.ts';
import type { Scenario } from './scenario.ts';

/** What a call of an interleaving may find, for every law that judges it. */
export interface OwedCalls {
  readonly worlds: readonly Promises[];
  /** The clients that have counted a miss of it. */
  readonly missed: ReadonlySet<string>;
  /** The call as each world owes it, or owes it but for a counted miss. */
  readonly calls: readonly ExpectedCall[];
}

const OWED = perScenario<OwedCalls>();
const OF_CALL = new WeakMap<CallOver, OwedCalls>();

/** What a call that is over may have found. Calls with the same operations around them and the same misses share it. */
export function owedCalls(scenario: Scenario, k: KernelView, happening: CallOver): OwedCalls {
  const noted = OF_CALL.get(happening);
  if (noted !== undefined) return noted;
  const { before, during } = happening;
  const call = callOf(scenario, happening);
  const worlds = possibleWorlds(scenario, before, during);
  const missed = missedIn(happening, worlds);
  const owed = OWED(scenario, [call, before, during, ...missed], () => ({
    worlds,
    missed,
    calls: possibleCalls(k, orMissed(worlds, missed), call),
  }));
  OF_CALL.set(happening, owed);
  return owed;
}

/** Memoizes what a law makes of it. */
export function perOwed<T>(make: (owed: OwedCalls) => T): (owed: OwedCalls) => T {
  const made = new WeakMap<OwedCalls, { readonly value: T }>();
  return (owed) => {
    const known = made.get(owed) ?? { value: make(owed) };
    made.set(owed, known);
    return known.value;
  };
}

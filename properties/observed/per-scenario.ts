import type { Scenario } from './scenario.ts';

/** Memoizes results by scenario and key: the same operations and calls recur many times within one. */
export function perScenario<T>(): (scenario: Scenario, key: unknown, find: () => T) => T {
  const found = new WeakMap<Scenario, Map<string, { readonly value: T }>>();
  return (scenario, key, find) => {
    let known = found.get(scenario);
    if (known === undefined) {
      known = new Map();
      found.set(scenario, known);
    }
    const spelled = JSON.stringify(key);
    let made = known.get(spelled);
    if (made === undefined) {
      made = { value: find() };
      known.set(spelled, made);
    }
    return made.value;
  };
}

import { describe, expect, test } from 'vitest';
import { KNOWN_TASK } from '../../../conformance/known/task-breaches.ts';
import { scenarioOn } from '../../../conformance/known/task-known.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { INTERRUPTIONS } from '../../../properties/observed/scenario.ts';
import { searchedCall } from '../../sequences/calls/all.ts';
import { Space } from '../space.ts';
import { nearbyScenarios } from './nearby.ts';

const KERNEL = '6.12';
const BASES = KNOWN_TASK.filter(
  ({ kernels, multiLinks }) => multiLinks === undefined && kernels.includes(KERNEL),
).map((entry) => scenarioOn(entry, KERNEL));
const COUNT = 3 * BASES.length;

function near(bases: readonly Scenario[], seed: number, count: number, mayBe = true): Scenario[] {
  return [...nearbyScenarios({ near: bases, meetsPremises: () => mayBe }, seed, count)];
}

const drawn = near(BASES, 1, COUNT);

describe('scenarios near others', () => {
  test('are the same for the same seed, and other ones for another', () => {
    expect(near(BASES, 1, 20)).toEqual(drawn.slice(0, 20));
    expect(near(BASES, 2, 20)).not.toEqual(drawn.slice(0, 20));
  });

  test('are near each of them, in its kernel, on its functions', () => {
    for (const base of BASES) {
      const own = near([base], 3, 1);
      expect(own.map(({ profile, functions }) => ({ profile, functions }))).toEqual([
        { profile: KERNEL, functions: base.functions },
      ]);
    }
  });

  test('differ from them, but for few', () => {
    const same = drawn.filter((scenario) => BASES.includes(scenario));
    expect(same.length).toBeLessThan(drawn.length / 10);
  });

  test('are the one that they are near where none may be searched', () => {
    const [base] = BASES;
    expect(near([base!], 1, 3, false)).toEqual([base, base, base]);
  });

  test('can be set up, within the bounds of drawn ones or of their own', () => {
    const most = (of: (scenario: Scenario) => number, bound: number) => Math.max(bound, ...BASES.map(of));
    const operations = ({ clients }: Scenario) => clients.flat().length;
    for (const scenario of drawn) {
      expect(() => new Space(scenario, { symmetric: false })).not.toThrow();
      expect(operations(scenario)).toBeLessThanOrEqual(most(operations, 4));
      expect(scenario.callers.length).toBeLessThanOrEqual(most(({ callers }) => callers.length, 3));
      expect(scenario.cpus).toBeLessThanOrEqual(3);
    }
  });

  test('have no failure that no operation of its client follows', () => {
    expect(drawn.filter(({ clients }) => clients.some((script) => script.at(-1)?.do === 'fail'))).toEqual([]);
  });

  test('have every kind of change', () => {
    const changes: Readonly<Record<string, (base: Scenario, scenario: Scenario) => boolean>> = {
      'more in the setup': (base, { setup }) => setup.length > base.setup.length,
      'less in the setup': (base, { setup }) => setup.length < base.setup.length,
      'a client more': (base, { clients }) => clients.length > base.clients.length,
      'a client less': (base, { clients }) => clients.length < base.clients.length,
      'an operation of the setup that a client makes': (base, { clients }) =>
        clients.flat().some((action) => base.setup.includes(action)),
      'a failure on the way': (base, { clients }) => faultsOf(clients) > faultsOf(base.clients),
      'a call more': (base, { callers }) => callers.length > base.callers.length,
      'a call less': (base, { callers }) => callers.length < base.callers.length,
      'an interrupt more': (base, scenario) => interruptsOf(scenario) > interruptsOf(base),
      'a call that starts anywhere': (base, { callers }) =>
        callers.some((caller, i) => caller.startsAt === undefined && base.callers[i]?.startsAt !== undefined),
      'another number of CPUs': (base, { cpus }) => cpus !== base.cpus,
    };
    const missing = new Set(Object.keys(changes));
    for (const [i, base] of BASES.entries())
      for (const scenario of near([base], 5 + i, 8))
        for (const name of missing) if (changes[name]!(base, scenario)) missing.delete(name);
    expect([...missing]).toEqual([]);
  });

  test('have no new object that two clients use', () => {
    const shared = ({ clients }: Scenario) => {
      const owned = clients.flatMap((script) => [
        ...new Set(script.flatMap((action) => searchedCall(action).objectsOf(action))),
      ]);
      return owned.filter((object, i) => owned.indexOf(object) < i);
    };
    for (const [i, base] of BASES.entries())
      for (const scenario of near([base], 7 + i, 2)) {
        const own = shared(base);
        expect(shared(scenario).filter((object) => !own.includes(object))).toEqual([]);
      }
  });
});

function faultsOf(clients: Scenario['clients']): number {
  return clients.flat().filter(({ do: name }) => name === 'fail').length;
}

function interruptsOf({ callers }: Scenario): number {
  return callers.flatMap((caller) => INTERRUPTIONS.filter((kind) => caller[kind] !== undefined)).length;
}

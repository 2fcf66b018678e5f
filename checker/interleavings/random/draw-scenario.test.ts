import { describe, expect, test } from 'vitest';
import type { Action } from '../../../model/client/all.ts';
import { KERNELS } from '../../../model/core/profile.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { searchedCall } from '../../sequences/calls/all.ts';
import { withSleepers } from '../family.ts';
import { Space } from '../space.ts';
import { drawnScenarios } from './draw-scenario.ts';

const COUNT = 60;
const drawn = KERNELS.flatMap((profile) => drawnScenarios(withSleepers(profile), 2, COUNT));

const objectsOf = (action: Action) => searchedCall(action).objectsOf(action);

const does = ({ clients }: Scenario, ...names: Action['do'][]) =>
  clients.flat().some((action) => names.includes(action.do));

describe('a drawn scenario', () => {
  test('is the same for the same seed', () => {
    expect(drawnScenarios('6.12', 5, 8)).toEqual(drawnScenarios('6.12', 5, 8));
    expect(drawnScenarios('6.12', 5, 8)).not.toEqual(drawnScenarios('6.12', 6, 8));
    expect(drawnScenarios('6.12', 5, 20).slice(0, 8)).toEqual(drawnScenarios('6.12', 5, 8));
  });

  test('can be set up, and has a client, within its bounds', () => {
    for (const scenario of drawn) {
      const space = new Space(scenario, { symmetric: false });
      expect(space.actors(space.initial()).length).toBe(scenario.clients.length + scenario.callers.length);
      const operations = scenario.clients.flat().length;
      expect(operations).toBeGreaterThan(0);
      expect(operations).toBeLessThanOrEqual(4);
      expect(scenario.clients.length).toBeLessThanOrEqual(3);
      expect(scenario.callers.length).toBeLessThanOrEqual(3);
    }
  });

  test('has no object that two clients use', () => {
    for (const { clients } of drawn) {
      const owned = clients.map((script) => new Set(script.flatMap(objectsOf)));
      const all = owned.flatMap((objects) => [...objects]);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  test('does not touch what its client has given back', () => {
    for (const { clients } of drawn)
      for (const script of clients)
        script.forEach((action, i) => {
          if (action.do !== 'kfree' && action.do !== 'close(prog)') return;
          const gone = objectsOf(action);
          const later = script.slice(i + 1).flatMap(objectsOf);
          expect(later.filter((object) => gone.includes(object))).toEqual([]);
        });
  });

  test('calls no function of a module that comes or goes', () => {
    for (const { functions, setup, clients, callers } of drawn) {
      const moves = [...setup, ...clients.flat()].some(({ do: name }) => /_module$/.test(name));
      const called = callers.flatMap(({ call, interrupt }) => [call, ...(interrupt ? [interrupt] : [])]);
      const inModule = functions.filter(({ module }) => module !== '').map(({ name }) => name);
      if (moves) expect(called.filter(({ fn }) => inModule.includes(fn))).toEqual([]);
    }
  });

  test('makes no link by a name that another has had', () => {
    for (const { setup, clients } of drawn)
      for (const script of clients) {
        const made = [...setup, ...script].flatMap((action) => ('link' in action ? [action] : []));
        const later = script.flatMap((action) =>
          action.do === 'BPF_LINK_CREATE' || action.do === 'BPF_RAW_TRACEPOINT_OPEN' ? [action.link] : [],
        );
        const earlier = (link: string) =>
          made.filter((action) => action.do !== 'close(link)' && action.link === link).length;
        for (const link of later) expect(earlier(link)).toBe(1);
      }
  });

  test('does not try again and again to unload a module that is in use', () => {
    expect(drawn.filter((scenario) => does(scenario, 'delete_module')).length).toBeGreaterThan(0);
    expect(drawn.filter((scenario) => scenario.retries === true && does(scenario, 'delete_module'))).toEqual(
      [],
    );
  });

  test('has no interrupt that calls a function which does not return', () => {
    const of = drawn.flatMap(({ functions, callers }) =>
      functions.filter(({ noreturn }) => noreturn).map(({ name }) => ({ name, callers })),
    );
    expect(of.length).toBeGreaterThan(3);
    for (const { name, callers } of of)
      expect(callers.filter(({ interrupt }) => interrupt?.fn === name)).toEqual([]);
  });

  test('now and then has each of what planted bugs need', () => {
    const has = (what: (scenario: Scenario) => boolean) => drawn.filter(what).length;
    const loads = ({ setup, clients }: Scenario) =>
      [...setup, ...clients.flat()].flatMap((a) => (a.do === 'BPF_PROG_LOAD' ? [a.program] : []));
    expect({
      givesBack: has((scenario) => does(scenario, 'kfree')) > 9,
      closesProgram: has((scenario) => does(scenario, 'close(prog)')) > 3,
      module: has((scenario) => does(scenario, 'init_module', 'delete_module')) > 1,
      sleepable: has((scenario) => loads(scenario).some(({ sleepable }) => sleepable)) > 20,
      extension: has((scenario) => loads(scenario).some(({ kind }) => kind === 'freplace')) > 1,
      idle: has(({ callers }) => callers.some(({ idle }) => idle === true)) > 4,
      interrupt: has(({ callers }) => callers.some(({ interrupt }) => interrupt !== undefined)) > 20,
      retries: has(({ retries }) => retries === true) > 5,
      noreturn: has(({ functions }) => functions.some(({ noreturn }) => noreturn)) > 3,
      twoClients: has(({ clients }) => clients.length > 1) > 60,
    }).toEqual({
      givesBack: true,
      closesProgram: true,
      module: true,
      sleepable: true,
      extension: true,
      idle: true,
      interrupt: true,
      retries: true,
      noreturn: true,
      twoClients: true,
    });
  });

  test('has multi links to several functions, attached and detached, in a kernel that has them', () => {
    const linked = (actions: readonly Action[]) =>
      actions.filter((action) => action.do === 'BPF_LINK_CREATE' && action.targets.length > 1);
    for (const profile of ['7.2', '6.12, multiLinks = one by one']) {
      const own = drawnScenarios(withSleepers(profile), 21, 2 * COUNT);
      expect(own.filter(({ setup }) => linked(setup).length > 0).length).toBeGreaterThan(1);
      expect(own.filter(({ clients }) => linked(clients.flat()).length > 0).length).toBeGreaterThan(1);
    }
  });
});

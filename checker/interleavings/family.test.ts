import { describe, expect, test } from 'vitest';
import { abiSlots } from '../../model/trampoline/signature.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { requestsOf } from '../../properties/observed/scenario.ts';
import { pairs, triples, withSleepers } from './family.ts';
import { beside } from './family-beside.ts';
import { onCgroups } from './family-cgroups.ts';
import { onDevices } from './family-devices.ts';
import { interrupted } from './family-interrupted.ts';
import { Space } from './space.ts';
import { withThird } from './triples.ts';

const MULTI = [
  '6.1, multiLinks = one by one',
  '6.12, multiLinks = one by one',
  '6.12, multiLinks = function graph',
  '7.2',
];

/** Two multi links that meet in one function only. */
const EQUAL = [
  'attach multi f1+f2, attach multi f2',
  'attach multi f1+f2, detach multi f2',
  'attach multi f2, detach multi f1+f2',
  'detach multi f1+f2, detach multi f2',
];

/** An exit program beside a live patch: a kernel that makes all images first does not ask for the second one. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  '7.2': ['live patch off f1, detach multi f1+f2', 'live patch off f2, detach multi f1+f2'],
};

function words({ functions }: Scenario): number[] {
  return functions.map(({ signature }) => abiSlots(signature).length);
}

function without(profile: string, names: readonly string[]): string[] {
  return names.filter((name) => !name.includes('multi')).map((name) => `${profile.split(',')[0]}: ${name}`);
}

describe.each(MULTI)('on %s', (profile) => {
  const all = pairs(withSleepers(profile), 1, 1);
  const multi = all.filter(({ name }) => name.includes('multi'));

  test('multi links are attached and detached beside each other, and beside what kernels without them do', () => {
    const names = all.map(({ name }) => name);
    expect(names).toContain('attach multi f1+f2, detach multi f2');
    expect(names).toContain('attach f1, attach multi f1+f2');
    expect(names).not.toContain('attach multi f2, detach multi f2');
    const bare = `${profile.split(',')[0]}, multiLinks = none`;
    expect(without(profile, names)).toEqual(
      without(
        profile,
        pairs(bare, 1, 1).map(({ name }) => name),
      ),
    );
  });

  test('each of them can be set up unless it is refused, on two functions, which seldom have equal numbers of arguments', () => {
    const possible = multi.filter(({ name }) => !(REFUSED[profile] ?? []).includes(name));
    for (const { name, scenario } of possible) {
      const space = new Space(scenario, {});
      expect(space.actors(space.initial())).toHaveLength(3);
      expect(words(scenario)).toEqual(EQUAL.includes(name) ? [1, 1] : [1, 2]);
    }
    expect(possible).toHaveLength(45 - (REFUSED[profile]?.length ?? 0));
    for (const { scenario } of multi.filter((scenario) => !possible.includes(scenario)))
      expect(() => new Space(scenario, {})).toThrow('the setup fails: BPF_LINK_CREATE answers EAGAIN');
  });

  test('a third operation takes back what the first has done', () => {
    const names = multi.map((scenario) => withThird(scenario).name);
    expect(names).toContain('attach multi f1+f2 then detach, attach multi f2');
    expect(names).toContain('detach multi f1+f2 then unload, detach multi f2');
    expect(triples(profile, 1, 0).map(({ name }) => name)).toContain(
      'attach f1, attach multi f1+f2, detach multi f2',
    );
  });
});

test('a kernel without multi links has no such operations', () => {
  for (const profile of ['6.1', '6.12', '7.2, multiLinks = none']) {
    const all = [...pairs(profile, 1, 1), ...triples(profile, 1, 0)];
    expect(all.filter(({ name }) => name.includes('multi'))).toEqual([]);
    expect(all.length).toBe(69 + 322);
    for (const { scenario } of all) expect(words(scenario)).toEqual([1, 1]);
  }
});

describe('beside the pairs', () => {
  const all = beside(withSleepers('6.12'), 1);

  test('a tracepoint is hit while its probes and links change, in every pair, for another in their place, and its events', () => {
    const hit = all.filter(({ scenario }) => scenario.tracepoints !== undefined);
    expect(hit).toHaveLength(12);
    for (const { scenario } of hit) expect(scenario.callers.map(({ call }) => call.fn)).toEqual(['tp1']);
  });

  test('a program is closed, and the second function of a batch is called', () => {
    expect(all.map(({ name }) => name)).toContain('detach and unload f1');
    const batches = all.filter(({ name }) => name.endsWith('f1+f2'));
    expect(batches.flatMap(({ scenario }) => scenario.callers.map(({ call }) => call.fn))).toEqual(
      batches.map(() => 'f2'),
    );
    expect(batches).toHaveLength(4);
  });

  test.each(['6.1', '6.12', '7.2'])(
    'perf events of kprobes come, change their program and go, on %s',
    (kernel) => {
      const events = beside(withSleepers(kernel), 1).filter(({ name }) => /perf event.* f1$/.test(name));
      expect(events.map(({ scenario }) => scenario.clients.map((script) => script.length))).toEqual([
        [2, 1],
        [2],
        [2],
        [2],
      ]);
    },
  );

  test('each can be set up', () => {
    for (const { scenario } of all) {
      const space = new Space(scenario);
      expect(space.actors(space.initial())).toHaveLength(scenario.clients.length + 1);
    }
  });
});

test.each([
  ['6.1', 14],
  ['6.12', 18],
  ['7.2', 18],
])('every kind of probe of %s comes and goes in an interrupted call', (kernel, count) => {
  const all = interrupted(withSleepers(kernel), 1);
  expect(all).toHaveLength(count);
  for (const { scenario } of all) {
    expect(requestsOf(scenario.callers[0]!)).toHaveLength(2);
    const space = new Space(scenario);
    expect(space.actors(space.initial())).toHaveLength(2);
  }
});

test.each(['6.1', '6.12', '7.2'])('programs come to a cgroup of %s and go', (kernel) => {
  const all = onCgroups(withSleepers(kernel), 1);
  expect(
    all.map(({ scenario }) => new Space(scenario).scenario.clients.map((script) => script.length)),
  ).toEqual([[1, 1], [1, 1], [2]]);
});

test('a device receives a packet while XDP programs come and go', () => {
  const all = onDevices(withSleepers('6.12'), 1);
  expect(all.flatMap(({ scenario }) => scenario.callers.map(({ call }) => call.fn))).toEqual([
    'eth0',
    'eth0',
  ]);
  for (const { scenario } of all) {
    const space = new Space(scenario);
    expect(space.actors(space.initial())).toHaveLength(scenario.clients.length + 1);
  }
});

import { expect, test } from 'vitest';
import { bootKernel } from '../../model/kernel.ts';
import { F1, F2 } from '../../properties/planted/sequences/actions.ts';
import { Watched } from './watched.ts';
import { WorldParts } from './world-parts.ts';
import { Worlds } from './worlds.ts';

const KERNEL = bootKernel({ profile: '6.12', boot: 'default', functions: [F1, F2] });
const LAYOUT = new WorldParts(KERNEL);
const SITES = LAYOUT.numberOf('text.sites');
const LOCKS = LAYOUT.numberOf('locks');

function watchedKernel(): { watched: Watched; worlds: Worlds; world: readonly number[] } {
  const worlds = new Worlds();
  const world = LAYOUT.split(KERNEL).map((part) => worlds.partNumber(part));
  return { watched: new Watched(LAYOUT, worlds, world), worlds, world };
}

test('a part that a step leaves as it was, or puts an equal one for, is the same object', () => {
  const { watched } = watchedKernel();
  const { parts } = watched.run({ parts: watched.start, rest: {} }, (k) => {
    const bytes = k.text.sites['f1']!;
    k.text.sites['f1'] = 'ccf7ff113f';
    k.text.sites['f1'] = bytes;
    k.locks = { ...k.locks };
  });
  expect(parts[SITES]).toBe(watched.start[SITES]);
  expect(parts[LOCKS]).toBe(watched.start[LOCKS]);
  expect(watched.effect(parts, 'done')).toMatchObject({ writes: [], result: 'done' });
});

test('a part that a step changes is frozen, and the one before is as it was', () => {
  const { watched, worlds, world } = watchedKernel();
  const { parts } = watched.run({ parts: watched.start, rest: {} }, (k) => {
    k.text.sites['f1'] = 'ccf7ff113f';
  });
  expect(parts[SITES]).toEqual({ ...KERNEL.text.sites, f1: 'ccf7ff113f' });
  expect(Object.isFrozen(parts[SITES])).toBe(true);
  expect(KERNEL.text.sites['f1']).not.toBe('ccf7ff113f');
  const { reads, writes } = watched.effect(parts, undefined);
  expect(reads).toEqual([SITES, world[SITES]]);
  expect(writes).toEqual([SITES, worlds.partNumber(parts[SITES])]);
});

test('entries in another order are another part', () => {
  const { watched } = watchedKernel();
  const { parts } = watched.run({ parts: watched.start, rest: {} }, (k) => {
    const { f1, ...others } = k.text.sites;
    k.text.sites = { ...others, f1: f1! };
  });
  expect(parts[SITES]).not.toBe(watched.start[SITES]);
  expect(watched.effect(parts, undefined).writes).toHaveLength(2);
});

test('the result of a step is frozen with all that it consists of', () => {
  const { watched } = watchedKernel();
  const { rest } = watched.run<{ found: unknown }>(
    { parts: watched.start, rest: { found: undefined } },
    (k, under) => {
      under.found = { sites: [k.text.sites] };
    },
  );
  expect(rest).toEqual({ found: { sites: [KERNEL.text.sites] } });
  const { found } = rest as { found: { sites: readonly object[] } };
  expect([rest, found, found.sites, found.sites[0]].every((value) => Object.isFrozen(value))).toBe(true);
});

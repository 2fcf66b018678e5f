import { describe, expect, test } from 'vitest';
import { answerIn } from '../../model/core/query.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { F1, F2 } from '../../properties/planted/sequences/actions.ts';
import { Aspects } from './aspects.ts';
import { Effects } from './effects.ts';
import { Watched } from './watched.ts';
import { WorldParts } from './world-parts.ts';
import { Worlds } from './worlds.ts';

const KERNEL = bootKernel({ profile: '6.12', boot: 'default', functions: [F1, F2] });
const LAYOUT = new WorldParts(KERNEL);
/** Of which all tables keep their order. */
const ORDERED = new WorldParts(KERNEL, true);
const SITES = LAYOUT.numberOf('text.sites');
const LOCKS = LAYOUT.numberOf('locks');

function watchedKernel() {
  const worlds = new Worlds();
  const aspects = new Aspects(worlds, LAYOUT.count);
  const world = LAYOUT.split(KERNEL).map((part) => worlds.partNumber(part));
  return { watched: new Watched({ parts: LAYOUT, worlds, aspects }, world), worlds, aspects, world };
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
  expect(writes.map(({ place, after }) => [place, after(world[SITES]!)])).toEqual([
    [SITES, worlds.partNumber(parts[SITES])],
  ]);
});

test('entries in another order are another part', () => {
  const { watched } = watchedKernel();
  const { parts } = watched.run({ parts: watched.start, rest: {} }, (k) => {
    const { f1, ...others } = k.text.sites;
    k.text.sites = { ...others, f1: f1! };
  });
  expect(parts[SITES]).not.toBe(watched.start[SITES]);
  expect(watched.effect(parts, undefined).writes).toHaveLength(1);
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

describe('a table is read entry by entry', () => {
  type Step = (k: Kernel) => void;

  /** A kernel with locks in this order, after the effect that a step had in one with others. */
  function locksAfter(
    step: Step,
    held: readonly string[],
    others: readonly string[],
    parts = ORDERED,
  ): string[] | undefined {
    const { worlds, aspects, world } = watchedKernel();
    const withLocks = (names: readonly string[]) => {
      const locks = Object.fromEntries(names.map((name) => [name, 'client#1']));
      return world.with(LOCKS, worlds.partNumber(locks));
    };
    const effects = new Effects<number>();
    let times = 0;
    const [, last] = [held, others].map((names) => {
      const tables = { parts, worlds, aspects };
      const number = worlds.numberOf(withLocks(names));
      const known = effects.in(tables, number);
      if (known !== undefined) return known;
      times++;
      const watched = new Watched(tables, worlds.get(number));
      const effect = watched.effect(watched.run({ parts: watched.start, rest: {} }, step).parts, times);
      return effects.addIn(tables, number, effect);
    });
    const { locks } = LAYOUT.join(worlds.partsOf(worlds.get(last!.world)));
    return times === 1 ? Object.keys(locks) : undefined;
  }

  const TAKE: Step = (k) => {
    k.locks['b'] ??= 'client#2';
  };
  const GIVE: Step = (k) => {
    delete k.locks['b'];
  };

  test('a new entry comes last, whatever others there are', () => {
    expect(locksAfter(TAKE, ['a'], ['c', 'd'])).toEqual(['c', 'd', 'b']);
  });

  test('an entry that goes leaves the others in their order', () => {
    expect(locksAfter(GIVE, ['b', 'a'], ['c', 'b', 'd'])).toEqual(['c', 'd']);
  });

  test('a step that finds another value is executed again', () => {
    expect(locksAfter(TAKE, ['a'], ['a', 'b'])).toBeUndefined();
  });

  test('one that reads which entries there are depends on their order', () => {
    const step: Step = (k) => {
      if (Object.keys(k.locks)[0] === 'a') k.locks['b'] = 'client#2';
    };
    expect(locksAfter(step, ['a', 'c'], ['c', 'a'])).toBeUndefined();
    expect(locksAfter(step, ['a', 'c'], ['a', 'c'])).toEqual(['a', 'c', 'b']);
  });

  const AGAIN: Step = (k) => {
    delete k.locks['b'];
    k.locks['b'] = 'client#1';
  };

  test('one that takes an entry away and puts it there again depends on all of them', () => {
    expect(locksAfter(AGAIN, ['b'], ['b', 'a'])).toBeUndefined();
  });

  test('where the order says nothing, entries are in that of their names', () => {
    expect(locksAfter(TAKE, ['a'], ['c', 'd'], LAYOUT)).toEqual(['b', 'c', 'd']);
    expect(locksAfter(GIVE, ['b', 'a'], ['b', 'c', 'd'], LAYOUT)).toEqual(['c', 'd']);
    expect(locksAfter(AGAIN, ['b'], ['a', 'b', 'c'], LAYOUT)).toEqual(['a', 'b', 'c']);
  });

  test('a query depends on the answer alone', () => {
    const count = (locks: object) => Object.keys(locks).length;
    const step: Step = (k) => {
      if (answerIn(k.locks, count, '') === 1) k.locks['b'] = 'client#2';
    };
    expect(locksAfter(step, ['a'], ['c'])).toEqual(['c', 'b']);
    expect(locksAfter(step, ['a'], ['c', 'd'])).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { readText } from '../../conformance/files.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { attachcheck } from '../../test/console.ts';
import { scratch } from '../../test/scratch.ts';
import { sources } from '../../test/sources.ts';
import { someOf } from '../../test/thorough.ts';
import { COMBINATIONS, INTERLEAVINGS, SEQUENCES } from '../../test/timelines.ts';
import { playInterleaving } from '../explain/played-interleaving.ts';
import { contentOf, statesOf } from './content.ts';
import { interleavingStates } from './interleaving-states.ts';
import { itfMap, itfSet, printItf } from './itf.ts';

/** The type of a value as TLA+ has it; undefined: of the elements of an empty collection. */
type ItfType =
  | string
  | undefined
  | readonly ['seq' | 'set' | 'map', ...ItfType[]]
  | { readonly [field: string]: ItfType };

function typeOf(value: unknown): ItfType {
  if (typeof value === 'string' || typeof value === 'boolean') return typeof value;
  if (Array.isArray(value)) return ['seq', allOf(value)];
  if (typeof value !== 'object' || value === null) throw new Error(`no value of the format: ${value}`);
  const own = value as Record<string, unknown>;
  if (/^-?\d+$/.test(String(own['#bigint']))) return 'integer';
  if (Array.isArray(own['#set'])) return ['set', allOf(own['#set'])];
  const pairs = own['#map'];
  if (Array.isArray(pairs))
    return ['map', allOf(pairs.map(([key]) => key)), allOf(pairs.map(([, to]) => to))];
  return Object.fromEntries(Object.entries(own).map(([field, of]) => [field, typeOf(of)]));
}

/** The one type that all values have. */
function allOf(values: readonly unknown[]): ItfType {
  return values.map(typeOf).reduce(unified, undefined);
}

function unified(a: ItfType, b: ItfType): ItfType {
  if (a === undefined || b === undefined) return a ?? b;
  if (typeof a === 'string' || typeof b === 'string') {
    if (a !== b) throw new Error(`${JSON.stringify(a)} and ${JSON.stringify(b)} in one place`);
    return a;
  }
  expect(Object.keys(a)).toEqual(Object.keys(b));
  const both = Object.entries(a).map(([field, of]) => [
    field,
    unified(of, (b as Record<string, ItfType>)[field]),
  ]);
  return Object.fromEntries(both);
}

/** A value back as JavaScript has it. */
function decoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decoded);
  if (typeof value !== 'object' || value === null) return value;
  const own = value as Record<string, unknown>;
  if ('#bigint' in own) return BigInt(String(own['#bigint']));
  if (Array.isArray(own['#set'])) return new Set(own['#set'].map(decoded));
  if (Array.isArray(own['#map'])) return new Map(own['#map'].map(([key, to]) => [decoded(key), decoded(to)]));
  return Object.fromEntries(Object.entries(own).map(([field, of]) => [field, decoded(of)]));
}

function encoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encoded);
  if (typeof value === 'bigint') return { '#bigint': String(value) };
  if (value instanceof Set) return { '#set': [...value].map(encoded) };
  if (value instanceof Map) return { '#map': [...value].map(([key, to]) => [encoded(key), encoded(to)]) };
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, of]) => [field, encoded(of)]));
}

interface ReadItf {
  readonly vars: readonly string[];
  readonly states: readonly Readonly<Record<string, unknown>>[];
}

function expectSound(text: string, path: string): ReadItf {
  const read = JSON.parse(text) as ReadItf;
  expect(read.vars.length, path).toBeGreaterThan(15);
  read.states.forEach((state, index) => {
    expect(Object.keys(state), path).toEqual(['#meta', ...read.vars]);
    expect(state['#meta'], path).toEqual({ index });
    const { '#meta': _, ...values } = state;
    expect(encoded(decoded(values)), path).toEqual(values);
  });
  for (const name of read.vars)
    expect(() => allOf(read.states.map((state) => state[name])), `${path} ${name}`).not.toThrow();
  return read;
}

describe('the states of saved traces', () => {
  test('of an interleaving: one more than moves, typed alike, to the byte the same again', async () => {
    for (const { path, text } of someOf(INTERLEAVINGS, 6)) {
      const own = playInterleaving(text);
      const written = printItf(interleavingStates(own));
      const { states } = expectSound(written, path);
      expect(states.length, path).toBe(own.played.length + 1);
      const broken = states.flatMap(({ verdict }, i) =>
        (verdict as { is: string }).is === 'broken' ? [i] : [],
      );
      expect(broken, path).toEqual([own.played.length]);
      if (someOf(INTERLEAVINGS, 60).some((other) => other.path === path))
        expect(await contentOf('--itf', { path, text }), path).toBe(written);
    }
  });

  test('of a sequence: one more than steps, typed alike', () => {
    for (const { path, text } of someOf(SEQUENCES, 8)) {
      const { states } = expectSound(printItf(statesOf(text)), path);
      expect(states.length, path).toBeGreaterThan(1);
    }
  });
});

test('a map has its names in order, a set each element once', () => {
  expect(itfMap({ b: 'x', a: 'y' }, (value) => value)).toEqual({
    '#map': [
      ['a', 'y'],
      ['b', 'x'],
    ],
  });
  expect(itfSet(['b', 'a', 'b'])).toEqual({ '#set': ['a', 'b'] });
});

test('values of different types in one variable are noticed', () => {
  expect(allOf([{ x: [] }, { x: ['a'] }])).toEqual({ x: { 0: 'seq', 1: 'string' } });
  expect(() => allOf(['a', { '#bigint': '1' }])).toThrow('in one place');
  expect(() => allOf([{ x: 1 }])).toThrow('no value of the format: 1');
});

test('every variable is in the page', () => {
  const page = sources('docs/commands/timelines.md')[0]!.text;
  const vars = [INTERLEAVINGS[0]!, SEQUENCES[0]!].flatMap(({ text }) => statesOf(text).vars);
  expect([...new Set(vars)].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

describe('--itf', () => {
  const { path: pathOf, file } = scratch();

  test('writes the states beside the timeline', async () => {
    const path = INTERLEAVINGS[0]!.path;
    const args = ['replay', path, '--itf', pathOf('a.itf.json'), '--trace', pathOf('a.json')];
    const { stderr } = await attachcheck(args);
    expect(stderr).toBe(`saved ${pathOf('a.json')}\nsaved ${pathOf('a.itf.json')}\n`);
    expect(readText(pathOf('a.itf.json'))).toBe(await contentOf('--itf', { path, text: readText(path) }));
  });

  test('an attach combination is refused; a file for all kernels has no single run', async () => {
    const refused = await attachcheck(['explain', COMBINATIONS[0]!.path, '--itf', pathOf('b.json')]);
    expect(refused.exit).toBe(EXIT.USAGE);
    expect(refused.stderr).toContain('--itf: an attach combination has an image and no kernel');
    const text = 'kernel   all\n\nf1 = function(u64 -> u64)\nregister_kprobe(kprobe#1, f1)\n';
    const all = await attachcheck(['explain', file('all.calls', text), '--itf', pathOf('c.json')]);
    expect(all.stderr).toContain('is not written: states are of one kernel: name it instead of "all"');
  });
});

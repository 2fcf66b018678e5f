import { describe, expect, test } from 'vitest';
import { Rig } from '../../testing/attach-rig.ts';
import { tracedFunction } from '../traced-function.ts';
import type { MultiIds } from './multi-ids-set.ts';

const FUNCTIONS = [1, 2, 3, 4].map((n) => tracedFunction(`f${n}`, n, `u64 x${n} -> u64`.replace(' x1', '')));

function rig(kernel: string): Rig {
  return new Rig(`${kernel}, multiLinks = multi ids`, FUNCTIONS);
}

function linkTo(rig: Rig, prog: number, ...targets: string[]) {
  return rig.answer({ do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets });
}

function setsOf(rig: Rig) {
  const { byName } = rig.k.bpf.design as MultiIds;
  return Object.values(byName).map(({ ids, singles }) => ({ ids, singles }));
}

/** prog#1 is a single program of f3, the others are for many functions. */
function withSingle(kernel: string): Rig {
  const fixture = rig(kernel);
  expect(fixture.load(1, 'fexit', 'f3')).toBe(0);
  expect(fixture.link(1)).toBe(0);
  for (const prog of [2, 3]) expect(fixture.load(prog, 'fentry', '', { multi: true })).toBe(0);
  return fixture;
}

describe.each(['6.1', '6.12'])('multi ids on %s', (kernel) => {
  test('functions that are free get one trampoline, and one that has its own gets the program there', () => {
    const rig = withSingle(kernel);
    expect(linkTo(rig, 2, 'f1', 'f2', 'f3')).toBe(0);
    expect(setsOf(rig)).toEqual([{ ids: ['f1', 'f2'], singles: ['f3'] }]);
    for (const fn of ['f1', 'f2']) expect(rig.call(fn).who).toEqual(['prog#2', fn]);
    expect(rig.call('f3').who).toEqual(['prog#2', 'f3', 'prog#1']);
    expect(rig.close(2)).toEqual([]);
    expect(rig.call('f1').who).toEqual(['f1']);
    expect(rig.call('f3').who).toEqual(['f3', 'prog#1']);
    expect(setsOf(rig)).toEqual([]);
  });

  test('another link has the same functions, or none of them', () => {
    const rig = withSingle(kernel);
    expect(linkTo(rig, 2, 'f1', 'f2', 'f3')).toBe(0);
    expect(linkTo(rig, 3, 'f1', 'f2')).toBe('EBUSY');
    expect(linkTo(rig, 3, 'f3', 'f4')).toBe('EBUSY');
    expect(linkTo(rig, 3, 'f3', 'f2', 'f1')).toBe(0);
    expect(rig.call('f2').who).toEqual(['prog#3', 'prog#2', 'f2']);
    expect(rig.close(2)).toEqual([]);
    expect(rig.call('f2').who).toEqual(['prog#3', 'f2']);
  });

  test('single programs are kept off the multi-ids, and not off the single-ids', () => {
    const rig = withSingle(kernel);
    expect(linkTo(rig, 2, 'f1', 'f3')).toBe(0);
    expect(rig.load(4, 'fentry', 'f1')).toBe('ENOMEM');
    expect(rig.load(5, 'fentry', 'f3')).toBe(0);
    expect(rig.link(5)).toBe(0);
    expect(rig.call('f3').who).toEqual(['prog#5', 'prog#2', 'f3', 'prog#1']);
    expect(rig.close(2)).toEqual([]);
    expect(rig.load(4, 'fentry', 'f1')).toBe(0);
  });

  test('a function whose program is loaded and not linked keeps links off: its ops has no filter', () => {
    const fixture = rig(kernel);
    expect(fixture.load(1, 'fentry', 'f1')).toBe(0);
    expect(fixture.load(2, 'fentry', '', { multi: true })).toBe(0);
    expect(linkTo(fixture, 2, 'f1', 'f2')).toBe('EINVAL');
    expect(fixture.call('f2').who).toEqual(['f2']);
  });
});

test('multi ids cannot run on 7.2', () => {
  expect(() => rig('7.2')).toThrow('trampoline_mutex is taken inside the locks of ftrace there');
});

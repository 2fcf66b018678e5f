import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

const ADDED = 'update_ftrace_direct_add(direct#1, { f1: my_tramp1 })';

/** The sites of f1 and f2 after calls on a table of direct calls, which 7.2 alone has. */
function sites(calls: string): readonly string[] {
  const { rig, answers } = ask('7.2', calls);
  expect(answers.at(-1)).toBe(0);
  return [rig.site('f1'), rig.site('f2')];
}

describe('a table of direct calls', () => {
  test('grows: each function has an address of its own', () => {
    expect(sites(ADDED)).toEqual(['call my_tramp1', 'nop5']);
    const both = `${ADDED}; update_ftrace_direct_add(direct#1, { f2: my_tramp2 })`;
    expect(sites(both)).toEqual(['call my_tramp1', 'call my_tramp2']);
  });

  test('does not take what it has already, or what another has', () => {
    expect(ask('7.2', `${ADDED}; ${ADDED}`).answers.at(-1)).toBe('EINVAL');
    const other = ADDED.replace('direct#1', 'direct#2');
    expect(ask('7.2', `${ADDED}; ${other}`).answers.at(-1)).toBe('EINVAL');
  });

  test('is modified and shrinks', () => {
    expect(sites(`${ADDED}; update_ftrace_direct_mod(direct#1, { f1: my_tramp2 })`)).toEqual([
      'call my_tramp2',
      'nop5',
    ]);
    expect(sites(`${ADDED}; update_ftrace_direct_del(direct#1, { f1: my_tramp1 })`)).toEqual([
      'nop5',
      'nop5',
    ]);
  });

  test('grows, and its ops loses its notrace hash', () => {
    const notrace = `ftrace_set_notrace(direct#1, f1); ${ADDED}`;
    expect(sites(notrace)).toEqual(['nop5', 'nop5']);
    const grown = `${notrace}; update_ftrace_direct_add(direct#1, { f2: my_tramp2 })`;
    expect(sites(grown)).toEqual(['call my_tramp1', 'call my_tramp2']);
  });
});

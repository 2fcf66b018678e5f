import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';

const REGISTERED = 'register_ftrace_direct(f1, my_tramp1)';

/** The answer to what follows a direct call on f1 by address, which 6.1 alone has. */
function afterwards(call: string): string | number | undefined {
  return ask('6.1', `${REGISTERED}; ${call}`).answers.at(-1);
}

describe('a direct call by address', () => {
  test('is called from the site, and one more is refused', () => {
    const { rig, answers } = ask('6.1', `${REGISTERED}; register_ftrace_direct(f1, my_tramp2)`);
    expect(answers).toEqual([0, 'EBUSY']);
    expect(rig.site('f1')).toBe('call my_tramp1');
  });

  test('gets another address, if the old one is right', () => {
    expect(afterwards('modify_ftrace_direct(f1, my_tramp1, my_tramp2)')).toBe(0);
    expect(afterwards('modify_ftrace_direct(f1, my_tramp2, my_tramp1)')).toBe('EINVAL');
    expect(afterwards('modify_ftrace_direct(f2, my_tramp1, my_tramp2)')).toBe('ENODEV');
  });

  test('goes, and where none is there is ENODEV', () => {
    expect(afterwards('unregister_ftrace_direct(f1, my_tramp1)')).toBe(0);
    expect(afterwards('unregister_ftrace_direct(f2, my_tramp1)')).toBe('ENODEV');
  });
});

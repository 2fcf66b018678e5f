import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';
import type { FtraceView } from './world.ts';

const REGISTERED = 'register_ftrace_direct(f1, my_tramp1)';

const SECOND = `${REGISTERED}; register_ftrace_direct(f2, my_tramp2)`;

/** The state of ftrace after these calls on 6.1. */
function left(calls: string): FtraceView['ftrace'] {
  return ask('6.1', calls).rig.k.ftrace;
}

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

  test('has a descriptor of its own where the address that it gets has one already', () => {
    const moved = `${SECOND}; modify_ftrace_direct(f2, my_tramp2, my_tramp1)`;
    expect(left(moved).directFuncs).toEqual([
      { addr: 'my_tramp1', count: 1 },
      { addr: 'my_tramp1', count: 1 },
    ]);
    const first = left(`${moved}; unregister_ftrace_direct(f1, my_tramp1)`);
    expect(first.directFuncs).toEqual([{ addr: 'my_tramp1', count: 1 }]);
    expect(first.lostEntries).toEqual([]);
  });

  test('loses its entry while other sites call its trampoline', () => {
    const both = `${REGISTERED}; register_ftrace_direct(f2, my_tramp1); unregister_ftrace_direct(f1, my_tramp1)`;
    expect(left(both).lostEntries).toEqual(['f1']);
    expect(left(`${both}; unregister_ftrace_direct(f2, my_tramp1)`)).toMatchObject({
      directFuncs: [],
      lostEntries: ['f1'],
    });
  });

  test('without memory for a table or an entry leaves its descriptor, which the next one uses', () => {
    for (const nth of ['2nd', '3rd']) {
      const refused = `the ${nth} allocation in register_ftrace_direct(ip) fails; ${REGISTERED}`;
      expect(ask('6.1', refused).answers.at(-1)).toBe('ENOMEM');
      expect(left(refused).directFuncs).toEqual([{ addr: 'my_tramp1', count: 0 }]);
      expect(left(`${refused}; ${REGISTERED}`).directFuncs).toEqual([{ addr: 'my_tramp1', count: 1 }]);
    }
  });

  test('that goes by the address of an unused descriptor warns of its count', () => {
    const unused =
      'the 2nd allocation in register_ftrace_direct(ip) fails; register_ftrace_direct(f2, my_tramp2)';
    const { rig } = ask('6.1', `${unused}; ${REGISTERED}; unregister_ftrace_direct(f1, my_tramp2)`);
    expect(rig.k.warnings).toContainEqual({ is: 'descriptor below zero', addr: 'my_tramp2' });
  });
});

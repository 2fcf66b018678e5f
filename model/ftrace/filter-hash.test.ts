import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { filterOn } from '../client/ftrace-set-filter-ip.ts';
import { KERNELS } from '../core/profile.ts';
import { bootKernel } from '../kernel.ts';
import { apply } from '../step.ts';
import { BUSY_FUNCTIONS } from '../testing/busy-sequence.ts';

/** How the last of these calls ends: its errno, or what the kernel dies of. */
function lastOf(profile: string, ...actions: readonly Action[]) {
  const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
  const outcomes = actions.map((action) => apply(k, action));
  const last = outcomes.at(-1)!;
  return { answer: last.died === undefined ? last.errno : last.died.is, warnings: last.warnings };
}

const filter = filterOn('ops#1', 'f1');
const free: Action = { do: 'ftrace_free_filter', ops: 'ops#1' };
const register = { do: 'register_ftrace_function', ops: 'ops#1' } as const;
const direct: Action = { do: 'register_ftrace_direct', ops: 'ops#1', addr: 'my_tramp1' };
const clear = { do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false } as const;

const fprobe = { do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['f1'], entry: true } as const;
const unregister: Action = { do: 'unregister_fprobe', fprobe: 'fprobe#1' };

describe('an ops whose filter was freed', () => {
  test.each([
    ['gets a function', [filter]],
    ['registers', [register]],
    ['registers as a direct call', [direct]],
    ['is freed again', [free]],
  ] as const)('%s: a use after free before 7.2', (_, after) => {
    const isDirect = after[0] === direct;
    const ends = KERNELS.map(
      (kernel) => lastOf(kernel, { ...clear, direct: isDirect }, filter, free, ...after).answer,
    );
    expect(ends.slice(0, 2)).toEqual(['use after free', 'use after free']);
    expect(ends[2]).not.toBe('use after free');
  });

  test('has no hashes when its memory is cleared, or when it had none', () => {
    for (const kernel of KERNELS) {
      expect(lastOf(kernel, clear, filter, free, clear, filter, register).answer).toBe(0);
      expect(lastOf(kernel, clear, free, filter, register).answer).toBe(0);
    }
  });

  test('keeps it in 7.2 if it is still enabled, with a WARN', () => {
    const isDead: Action[] = [
      { do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } },
      filterOn('ops#2', 'f2'),
      { ...register, ops: 'ops#2' },
    ];
    const leave: Action = {
      do: 'unregister_ftrace_direct',
      ops: 'ops#1',
      addr: 'my_tramp1',
      freeFilters: true,
    };
    const { answer, warnings } = lastOf(
      '7.2',
      { ...clear, direct: true },
      filter,
      direct,
      { ...clear, ops: 'ops#2' },
      ...isDead,
      leave,
    );
    expect([answer, warnings]).toEqual(['ENODEV', [{ is: 'filter of an enabled ops freed' }]]);
  });
});

describe('an fprobe on rethook', () => {
  test('that has no pool unregisters twice with EBUSY and a WARN', () => {
    const { answer, warnings } = lastOf('6.12', { ...fprobe, exit: false }, unregister, unregister);
    expect([answer, warnings]).toEqual(['EBUSY', [{ is: 'ops not enabled' }]]);
  });

  test('follows its old filter unless its memory was cleared', () => {
    const again = (cleared: object) =>
      lastOf('6.12', { ...fprobe, exit: true }, unregister, { ...fprobe, exit: true, ...cleared });
    expect([again({}).answer, again({ cleared: false }).answer]).toEqual([0, 'use after free']);
  });
});

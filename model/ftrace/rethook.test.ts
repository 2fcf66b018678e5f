import { describe, expect, test } from 'vitest';
import { parseAction } from '../action-text.ts';
import { useAfterFree } from '../core/oops.ts';
import { KERNELS } from '../core/profile.ts';
import { bootKernel } from '../kernel.ts';
import { apply } from '../step.ts';
import { Rig } from '../testing/attach-rig.ts';
import { BUSY_FUNCTIONS } from '../testing/busy-sequence.ts';
import { hasHandler, poolOf, rethookRecycle, rethookTryGet } from './rethook.ts';

const COME = {
  do: 'register_kretprobe',
  kretprobe: 'kretprobe#1',
  ip: 'f1',
  maxactive: 2,
  entryHandler: false,
} as const;
const GO = { do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' } as const;
const TIME = { do: 'settle' } as const;
const FREED = useAfterFree({ is: 'rethook', name: 'kretprobe#1' }, 'rethook_try_get');

describe.each(KERNELS)('the pool of a kretprobe, %s', (profile) => {
  test('goes with its user when no call holds a node', () => {
    const rig = new Rig(profile, BUSY_FUNCTIONS);
    expect([COME, GO].map((action) => rig.answer(action))).toEqual([0, 0]);
    expect(rig.k.probes.rethooks).toEqual({});
  });

  test('stays until the last node is back, gives none away meanwhile, and goes a grace period later', () => {
    const rig = new Rig(profile, BUSY_FUNCTIONS);
    rig.answer(COME);
    const { k } = rig;
    expect([1, 2, 3].map(() => rethookTryGet(k, 'kretprobe#1'))).toEqual([
      'kretprobe#1',
      'kretprobe#1',
      undefined,
    ]);
    rethookRecycle(k, 'kretprobe#1');
    rig.answer(GO);
    expect(rethookTryGet(k, 'kretprobe#1')).toBeUndefined();
    expect(k.probes.rethooks['kretprobe#1']).toEqual({ free: 1, max: 2, handler: false, drained: true });
    rethookRecycle(k, 'kretprobe#1');
    expect(k.probes.rethooks['kretprobe#1']!.free).toBe(2);
    rig.answer(TIME);
    expect(k.probes.rethooks).toEqual({});
    expect(() => rethookTryGet(k, 'kretprobe#1')).toThrow(FREED);
  });

  test('is another one when its user registers again, while a call holds a node of the one before', () => {
    const rig = new Rig(profile, BUSY_FUNCTIONS);
    rig.answer(COME);
    const { k } = rig;
    const before = rethookTryGet(k, 'kretprobe#1')!;
    expect([GO, COME].map((action) => rig.answer(action))).toEqual([0, 0]);
    const after = poolOf(k, 'kretprobe#1');
    expect([before, after].map((pool) => hasHandler(k, pool))).toEqual([false, true]);
    expect([1, 2, 3].map(() => rethookTryGet(k, 'kretprobe#1'))).toEqual([after, after, undefined]);
    rethookRecycle(k, before);
    rig.answer(TIME);
    expect(Object.keys(k.probes.rethooks)).toEqual([after]);
    expect(k.probes.rethooks[after]).toMatchObject({ free: 0, max: 2 });
    for (const pool of [after, after]) rethookRecycle(k, pool);
    rig.answer(GO);
    rig.answer(TIME);
    expect(k.probes).toMatchObject({ rethooks: {} });
    expect(k.probes.newerPools ?? {}).toEqual({});
  });
});

test('freed memory is a stopped pool to a kretprobe that stays in the table, until another pool takes it', () => {
  const functions = BUSY_FUNCTIONS;
  const profile = '6.12';
  const k = bootKernel({ profile, boot: 'default', functions });
  const answers = [
    'register_kretprobe(kretprobe#1, f1, maxactive=0)',
    'register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED)',
    'unregister_kretprobe(kretprobe#1)',
  ].map((call) => apply(k, parseAction(call, { profile, functions })).errno);
  expect(answers).toEqual([0, 0, 0]);
  expect(rethookTryGet(k, 'kretprobe#1')).toBeUndefined();
  apply(k, parseAction('register_kretprobe(kretprobe#2, f2, maxactive=0)', { profile, functions }));
  expect(() => rethookTryGet(k, 'kretprobe#1')).toThrow(FREED);
});

describe('a kretprobe that could not be unregistered, and is refused when it is registered again', () => {
  const again = (profile: string) => {
    const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
    const answers = [
      'register_kretprobe(kretprobe#1, f1, maxactive=1)',
      'register_kprobe(kprobe#1, f2)',
      'the next allocation in ftrace_set_hash fails',
      'unregister_kretprobe(kretprobe#1)',
      'register_kretprobe(kretprobe#1, f1, maxactive=1, entry_handler)',
    ].map((call) => apply(k, parseAction(call, { profile, functions: BUSY_FUNCTIONS })).errno);
    expect(answers.at(-1)).toBe('EINVAL');
    const called = apply(k, parseAction('task#1 calls f1(0x1)', { profile, functions: BUSY_FUNCTIONS }));
    return { k, called };
  };

  test('has no pool any more if its address is after endbr64, and its handler follows the pointer', () => {
    const { called } = again('6.12');
    expect(called.died).toEqual({ is: 'kretprobe without pool', kretprobe: 'kretprobe#1' });
  });

  test('is found before a pool is made if it is not: its handler reads the old one', () => {
    const { k, called } = again('6.1');
    expect(called.died).toBeUndefined();
    expect(k.probes.kretprobes['kretprobe#1']).toMatchObject({ entryHandler: true, nmissed: 1 });
  });
});

test('a pool has nodes for each possible CPU, that of an fprobe for each function', () => {
  const profile = '6.12';
  const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS, cpus: 8 });
  const calls = [
    'register_kretprobe(kretprobe#1, f1, maxactive=0)',
    'register_fprobe_ips(fprobe#1, { f1, f2 }, exit_handler)',
  ];
  for (const call of calls)
    expect(apply(k, parseAction(call, { profile, functions: BUSY_FUNCTIONS })).errno).toBe(0);
  expect(k.probes.rethooks).toMatchObject({ 'kretprobe#1': { max: 2 * 8 }, 'fprobe#1': { max: 2 * 8 * 2 } });
});

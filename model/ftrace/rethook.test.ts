import { describe, expect, test } from 'vitest';
import { KERNELS } from '../core/profile.ts';
import { Rig } from '../testing/attach-rig.ts';
import { BUSY_FUNCTIONS } from '../testing/busy-sequence.ts';
import { rethookRecycle, rethookTryGet } from './rethook.ts';

const COME = {
  do: 'register_kretprobe',
  kretprobe: 'kretprobe#1',
  ip: 'f1',
  maxactive: 2,
  entryHandler: false,
} as const;
const GO = { do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' } as const;
const TIME = { do: 'settle' } as const;

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
    expect([1, 2, 3].map(() => rethookTryGet(k, 'kretprobe#1'))).toEqual([true, true, false]);
    rethookRecycle(k, 'kretprobe#1');
    rig.answer(GO);
    expect(rethookTryGet(k, 'kretprobe#1')).toBe(false);
    expect(k.probes.rethooks['kretprobe#1']).toEqual({ free: 1, max: 2, handler: false, drained: true });
    rethookRecycle(k, 'kretprobe#1');
    expect(k.probes.rethooks['kretprobe#1']!.free).toBe(2);
    rig.answer(TIME);
    expect(k.probes.rethooks).toEqual({});
  });
});

import { expect, test } from 'vitest';
import { KERNELS } from '../core/profile.ts';
import { ask } from '../testing/asked.ts';

test.each(KERNELS)('a kretprobe that is not registered is not unregistered, %s', (profile) => {
  const { rig, answers } = ask(
    profile,
    'unregister_kretprobe(kretprobe#1); register_kretprobe(kretprobe#1, f1, maxactive=0); unregister_kretprobe(kretprobe#1); unregister_kretprobe(kretprobe#1)',
  );
  expect(answers).toEqual(['EBADF', 0, 0, 'EBADF']);
  expect(rig.k.probes).toMatchObject({ kprobes: {}, kretprobes: {}, kprobeTable: {} });
});

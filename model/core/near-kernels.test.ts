import { describe, expect, test } from 'vitest';
import { ask } from '../testing/asked.ts';
import { NEAR_KERNELS } from './near-kernels.ts';
import { KERNELS, profileNamed, RECORDED_KERNELS, recordedVersion } from './profile.ts';

describe.each(Object.entries(NEAR_KERNELS))('%s', (version, { near, differs }) => {
  test('is its neighbour but for what differs', () => {
    const [own, other] = [profileNamed(version), profileNamed(near)];
    expect({ ...own, sentence: '' }).toEqual({ ...other, ...differs, sentence: '' });
    for (const [behaviour, value] of Object.entries(differs))
      expect(other[behaviour as keyof typeof other]).not.toEqual(value);
  });

  test('is a kernel like the others, with behaviours that can be overridden', () => {
    expect(RECORDED_KERNELS).toContain(version);
    expect(KERNELS).not.toContain(version);
    expect(profileNamed(`${version}, linksMax = 3`).linksMax).toBe(3);
    expect(recordedVersion(`${version}, linksMax = 3`)).toBe(version);
  });
});

test('7.3 answers that ftrace is not disabled at run time', () => {
  const calls =
    'sysctl kernel.ftrace_enabled=0; sysctl kernel.ftrace_enabled=1; register_kprobe(kprobe#1, f1)';
  expect(ask('7.3', calls).answers).toEqual(['EOPNOTSUPP', 0, 0]);
  expect(ask('7.2', calls).answers).toEqual([0, 0, 0]);
});

test('values that only a near kernel has can be given to another one', () => {
  expect(profileNamed('6.12, disabledBySysctl = false').disabledBySysctl).toBe(false);
  expect(profileNamed('7.2, memberArgsAbove = the caller').memberArgsAbove).toBe('the caller');
});

import { describe, expect, test } from 'vitest';
import { Rig } from '../testing/attach-rig.ts';
import { fromNumber } from '../x86/word.ts';
import type { BpfProgram } from './program.ts';
import { listedFunction, tracedFunction } from './traced-function.ts';

/*
 * Programs of BPF LSM. The answers to loads are those of 6.1.192, 6.12.117 and 7.2.13 with bpf_lsm_file_permission,
 * bpf_lsm_file_free_security, bpf_lsm_file_open, bpf_lsm_inode_xattr_skipcap (6.12 and 7.2) and bpf_lsm_getprocattr.
 */
const PERMISSION = listedFunction(tracedFunction('permission', 1, 'ptr, s32 -> s32'), 'lsm');
const FREE = listedFunction(tracedFunction('free', 2, 'ptr -> void'), 'lsm');
const OPEN = listedFunction(tracedFunction('open', 3, 'ptr -> s32'), 'sleepable_lsm');
const SKIPCAP = listedFunction(tracedFunction('skipcap', 4, 'ptr -> s32'), 'bool_lsm');
const GETPROCATTR = listedFunction(tracedFunction('getprocattr', 5, 'ptr, ptr, ptr -> s32'), 'disabled_lsm');
const READ = listedFunction(tracedFunction('read', 6, 'ptr, ptr, u64, ptr -> s64'), 'unlisted');
const FUNCTIONS = [PERMISSION, FREE, OPEN, SKIPCAP, GETPROCATTR, READ];

const LSM: Partial<BpfProgram> = { lsm: true };

describe.each(['6.1', '6.12', '7.2'])('a program of BPF LSM, %s', (profile) => {
  const load = (target: string, more: Partial<BpfProgram> = {}, returns = 0) =>
    new Rig(profile, FUNCTIONS).load(
      1,
      target === 'free' ? 'fexit' : 'fmod_ret',
      target,
      { ...LSM, ...more },
      fromNumber(returns),
    );

  test('is for hooks that are not disabled', () => {
    expect([load('permission'), load('free'), load('getprocattr'), load('read')]).toEqual([
      0,
      0,
      'EINVAL',
      'EINVAL',
    ]);
  });

  test('sleeps in hooks of a list', () => {
    const sleepable = { sleepable: true };
    expect([load('open', sleepable), load('permission', sleepable)]).toEqual([0, 'EINVAL']);
  });

  test('that sleeps is called by its hook', () => {
    const rig = new Rig(profile, FUNCTIONS);
    rig.load(1, 'fmod_ret', 'open', { ...LSM, sleepable: true });
    expect(rig.link(1)).toBe(0);
    expect(rig.call('open').who).toEqual(['prog#1', 'open']);
  });

  test('answers 0 or an errno, to some hooks 0 or 1; 6.1 takes any value, as hooks that return nothing do', () => {
    const checked = profile === '6.1' ? 0 : 'EINVAL';
    expect([0, -1, -4095].map((value) => load('permission', {}, value))).toEqual([0, 0, 0]);
    expect([1, 2, -4096].map((value) => load('permission', {}, value))).toEqual([checked, checked, checked]);
    expect([0, 1].map((value) => load('skipcap', {}, value))).toEqual([0, 0]);
    expect([-1, 2].map((value) => load('skipcap', {}, value))).toEqual([checked, checked]);
    expect([1, -4096].map((value) => load('free', {}, value))).toEqual([0, 0]);
  });

  test('may not call bpf_get_func_ip()', () => {
    expect(load('permission', { getFuncIp: true })).toBe('ENOTSUPP');
  });

  test('replaces the answer of its hook, before or after tracing programs', () => {
    const rig = new Rig(profile, FUNCTIONS);
    rig.load(1, 'fexit', 'permission');
    rig.load(2, 'fmod_ret', 'permission', LSM, fromNumber(-13));
    expect([rig.link(1), rig.link(2)]).toEqual([0, 0]);
    const { who, run } = rig.call('permission');
    expect(who).toEqual(['prog#2', 'prog#1']);
    expect(run.rax).toBe('0xfffffffffffffff3');
    expect(run.events.map(({ ret }) => ret)).toEqual([undefined, '0xfffffffffffffff3']);
    rig.close(2);
    expect(rig.call('permission').who).toEqual(['permission', 'prog#1']);
  });

  test('runs after a hook that returns nothing, and is not counted as running', () => {
    const rig = new Rig(profile, FUNCTIONS);
    rig.load(1, 'fexit', 'free', LSM);
    rig.link(1);
    rig.k.bpf.progs[1]!.active = 1;
    expect(rig.call('free').who).toEqual(['free', 'prog#1']);
    expect(rig.k.bpf.progs[1]).toMatchObject({ active: 1, misses: 0 });
  });
});

test('no system call loads one of a kind that its hook does not give it', () => {
  const rig = new Rig('6.12', FUNCTIONS);
  expect(rig.load(1, 'fmod_ret', 'free', LSM)).toBe('EBADF');
  expect(rig.load(1, 'fexit', 'permission', LSM)).toBe('EBADF');
  expect(rig.load(1, 'fmod_ret', 'permission')).toBe('EINVAL');
});

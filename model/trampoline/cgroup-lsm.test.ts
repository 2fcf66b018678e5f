import { describe, expect, test } from 'vitest';
import { Rig } from '../testing/attach-rig.ts';
import { fromNumber } from '../x86/word.ts';
import type { BpfProgram } from './program.ts';
import { listedFunction, tracedFunction } from './traced-function.ts';

/*
 * Programs of BPF LSM for cgroups, and the shims that run them. The answers to loads and links are those of 6.1.192,
 * 6.12.117 and 7.2.13 with bpf_lsm_file_ioctl, bpf_lsm_file_free_security, bpf_lsm_inode_xattr_skipcap (6.12 and 7.2), and
 * eleven hooks in all; calls are from the source.
 */
const SOCKET = listedFunction(tracedFunction('socket', 1, 'ptr, s32 -> s32'), 'lsm');
const FREE = listedFunction(tracedFunction('free', 2, 'ptr -> void'), 'lsm');
const SKIPCAP = listedFunction(tracedFunction('skipcap', 3, 'ptr -> s32'), 'bool_lsm');
const FUNCTIONS = [SOCKET, FREE, SKIPCAP];

const CGROUP: Partial<BpfProgram> = { lsm: true, cgroup: true, reads: 'direct' };
const ALLOWS = fromNumber(1);

describe.each(['6.1', '6.12', '7.2'])('programs for a cgroup, %s', (profile) => {
  const rig = () => new Rig(profile, FUNCTIONS);
  const load = (target: string, more: Partial<BpfProgram> = {}, returns = 1) =>
    rig().load(
      1,
      target === 'free' ? 'fexit' : 'fmod_ret',
      target,
      { ...CGROUP, ...more },
      fromNumber(returns),
    );

  test('answer 0 or 1, and have no helpers of a trampoline', () => {
    expect([load('socket', {}, 0), load('socket'), load('socket', {}, 2)]).toEqual([0, 0, 'EINVAL']);
    expect([load('free'), load('free', {}, 0)]).toEqual([0, 'EINVAL']);
    expect(load('socket', { reads: 'helpers' })).toBe('EINVAL');
    expect(load('socket', { cookie: fromNumber(1) })).toBe('EINVAL');
    expect(load('socket', { sleepable: true })).toBe('EINVAL');
    expect(load('socket', { getFuncIp: true })).toBe('ENOTSUPP');
  });

  test('share one shim, and run in the order of attachment', () => {
    const own = rig();
    for (const id of [1, 2]) own.load(id, 'fmod_ret', 'socket', CGROUP, ALLOWS);
    own.load(3, 'fmod_ret', 'socket', { lsm: true });
    expect([own.link(1), own.link(3), own.link(2)]).toEqual([0, 0, 0]);
    expect(own.k.bpf.trampolines['socket']!.nodes.map(({ link }) => link)).toEqual(['shim#1', 'link#3']);
    expect(own.k.bpf.cgroup!.shims['shim#1']!.refs).toBe(2);
    expect(own.call('socket').who).toEqual(['prog#3', 'prog#1', 'prog#2', 'socket']);
    own.close(1);
    expect(own.call('socket').who).toEqual(['prog#3', 'prog#2', 'socket']);
  });

  test('leave no shim behind where memory lacks for the effective programs', () => {
    const own = rig();
    own.load(1, 'fmod_ret', 'socket', CGROUP, ALLOWS);
    own.answer({ do: 'fail', fault: { what: 'allocation', where: '__cgroup_bpf_attach', nth: 2 } });
    expect(own.link(1)).toBe('ENOMEM');
    expect(Object.values(own.k.bpf.cgroup!.shims).filter(({ refs }) => refs > 0)).toEqual([]);
    expect(own.call('socket').who).toEqual(['socket']);
  });

  test('all run, and one of them denies', () => {
    const own = rig();
    own.load(1, 'fmod_ret', 'socket', CGROUP);
    own.load(2, 'fmod_ret', 'socket', CGROUP, ALLOWS);
    expect([own.link(1), own.link(2)]).toEqual([0, 0]);
    const { who, run } = own.call('socket');
    expect([who, run.rax]).toEqual([['prog#1', 'prog#2'], '0xffffffff']);
  });

  test('run after a hook that returns nothing', () => {
    const own = rig();
    own.load(1, 'fexit', 'free', CGROUP, ALLOWS);
    own.link(1);
    expect(own.call('free').who).toEqual(['free', 'prog#1']);
  });

  test('deny a hook that answers 0 or 1 before 7.2', () => {
    const own = rig();
    own.load(1, 'fmod_ret', 'skipcap', CGROUP);
    own.link(1);
    expect(own.call('skipcap').run.rax === '0xffffffff').toBe(profile !== '7.2');
  });

  test('give their shim back with the last of them, from 6.12 on in a work item', () => {
    const own = rig();
    own.load(1, 'fmod_ret', 'socket', CGROUP, ALLOWS);
    own.link(1);
    expect(own.close(1)).toEqual([]);
    expect(Object.keys(own.k.bpf.cgroup!.shims)).toEqual(profile === '6.1' ? [] : ['shim#1']);
    own.answer({ do: 'settle' });
    expect(own.site('socket')).toBe('nop5');
    expect(own.k.bpf.cgroup).toMatchObject({ progs: {}, effective: {}, atypes: {}, shims: {} });
    expect(own.k.bpf.progs[512]).toBeUndefined();
  });

  test('are not attached by BPF_RAW_TRACEPOINT_OPEN', () => {
    const own = rig();
    own.load(1, 'fmod_ret', 'socket', CGROUP, ALLOWS);
    expect(own.answer({ do: 'BPF_RAW_TRACEPOINT_OPEN', link: 'link#1', prog: 1 })).toBe('EINVAL');
  });
});

test('a hook has the slot of its number, of ten', () => {
  const hooks = Array.from({ length: 11 }, (_, i) =>
    listedFunction(tracedFunction(`hook${i}`, i + 1, 'ptr -> s32'), 'lsm'),
  );
  const own = new Rig('6.1', hooks);
  const answers = hooks.map(({ name }, i) => {
    own.load(i + 1, 'fmod_ret', name, CGROUP, ALLOWS);
    return own.link(i + 1);
  });
  expect(answers).toEqual([...Array.from({ length: 10 }, () => 0), 'EINVAL']);
});

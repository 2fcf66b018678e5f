import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import { Rig } from '../testing/attach-rig.ts';
import { targetProgram, tracedFunction } from './traced-function.ts';

/*
 * The answers of attaching to a loaded program, first and again, were recorded on 6.1.192, 6.12.117 and 7.2.13.
 */
const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), targetProgram('p2', 2, 'u64, u32 -> u64')];

describe.each(['6.1', '6.12', '7.2'])('a BPF program as a target, %s', (profile) => {
  const rig = () => new Rig(profile, FUNCTIONS);

  test('has a call site and no record', () => {
    const { k } = rig();
    expect(Object.keys(k.ftrace.records)).toEqual(['f1']);
    expect(Object.keys(k.text.sites)).toEqual(['f1', 'p2']);
  });

  test('is called like any other function', () => {
    const fixture = rig();
    expect(fixture.call('p2').who).toEqual(['p2']);
    expect(fixture.call('p2').run).toMatchObject({ fault: undefined, stackBalanced: true });
  });

  test('gets fentry and fexit programs by pokes of its own site, while ftrace knows nothing', () => {
    const fixture = rig();
    const before = JSON.stringify(fixture.k.ftrace.records);
    expect(fixture.load(1, 'fentry', 'p2')).toBe(0);
    expect(fixture.link(1)).toBe(0);
    expect(fixture.site('p2')).toBe('call tramp#1');
    expect(fixture.call('p2').who).toEqual(['prog#1', 'p2']);
    expect(fixture.load(2, 'fexit', 'p2')).toBe(0);
    expect(fixture.link(2)).toBe(0);
    expect(fixture.site('p2')).toBe(profile === '7.2' ? 'jmp tramp#2' : 'call tramp#2');
    expect(fixture.call('p2').who).toEqual(['prog#1', 'p2', 'prog#2']);
    expect(JSON.stringify(fixture.k.ftrace.records)).toBe(before);
    expect(fixture.close(1)).toEqual([]);
    expect(fixture.close(2)).toEqual([]);
    expect(fixture.site('p2')).toBe('nop5');
    expect(fixture.call('p2').who).toEqual(['p2']);
  });

  test('cannot have its return value modified, nor sleepable programs', () => {
    const fixture = rig();
    expect(fixture.load(1, 'fmod_ret', 'p2')).toBe('EINVAL');
    expect(fixture.load(2, 'fentry', 'p2', { sleepable: true })).toBe('EINVAL');
  });

  test('has to be named again by a program that is attached a second time', () => {
    const fixture = rig();
    fixture.load(1, 'fentry', 'p2');
    fixture.link(1);
    expect(fixture.link(1, 'link#2')).toBe('EINVAL');
    fixture.close(1);
    expect(fixture.link(1)).toBe('EINVAL');
  });

  test('keeps the first reference of a program whose link was refused', () => {
    const fixture = rig();
    fixture.load(1, 'fentry', 'p2');
    fixture.answer({ do: 'fail', fault: { what: 'poke', where: 'bpf_arch_text_poke' } });
    expect(fixture.link(1)).toBe('EBUSY');
    expect(fixture.site('p2')).toBe('nop5');
    expect(fixture.link(1)).toBe(0);
  });

  test('is still traced while ftrace is switched off', () => {
    const fixture = rig();
    fixture.load(1, 'fentry', 'p2');
    fixture.link(1);
    fixture.answer({ do: 'kernel.ftrace_enabled', value: false });
    expect(fixture.call('p2').who).toEqual(['prog#1', 'p2']);
  });

  test('is not traced by an ops that asks for every function', () => {
    const fixture = rig();
    fixture.answer({ do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false });
    expect(fixture.answer({ do: 'register_ftrace_function', ops: 'ops#1' })).toBe(0);
    expect(fixture.call('f1').who).toEqual(['ops#1', 'f1']);
    expect(fixture.call('p2').who).toEqual(['p2']);
  });

  const REFUSED: readonly Action[] = [
    { do: 'ftrace_set_filter_ip', ops: 'ops#1', ip: 'p2', remove: false, reset: false },
    { do: 'ftrace_set_notrace', ops: 'ops#1', ip: 'p2', reset: false },
    { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'p2', post: false },
    { do: 'register_kretprobe', kretprobe: 'kretprobe#1', ip: 'p2', maxactive: 1, entryHandler: false },
  ];
  test.each(REFUSED.map((action) => [action.do, action] as const))('is no address for %s', (_, action) => {
    expect(rig().answer(action)).toBe('EINVAL');
  });
});

test.each([
  ['6.12', 'EINVAL'],
  ['7.2', 'ENOENT'],
])('is no call site for an fprobe, %s', (profile, errno) => {
  const rig = new Rig(profile, FUNCTIONS);
  expect(
    rig.answer({ do: 'register_fprobe_ips', fprobe: 'fprobe#1', ips: ['p2'], entry: true, exit: false }),
  ).toBe(errno);
});

test('is no call site for register_ftrace_direct(ip)', () => {
  const rig = new Rig('6.1', FUNCTIONS);
  expect(rig.answer({ do: 'register_ftrace_direct(ip)', ip: 'p2', addr: 'my_tramp1' })).toBe('ENODEV');
});

test('is taken by update_ftrace_direct_add(), which checks nothing, and is never called through it', () => {
  const rig = new Rig('7.2', FUNCTIONS);
  expect(rig.answer({ do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { p2: 'my_tramp1' } })).toBe(0);
  expect(rig.site('p2')).toBe('nop5');
  expect(rig.call('p2').who).toEqual(['p2']);
});

test('is no target of a multi link', () => {
  const rig = new Rig('7.2', FUNCTIONS);
  rig.load(1, 'fentry', '', { multi: true });
  expect(rig.answer({ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'p2'] })).toBe(
    'EINVAL',
  );
  expect(rig.site('f1')).toBe('nop5');
});

test.each(['u64 x6 -> u64', 'u64 -> u128', 's16b -> u64', 'u64 -> void'])(
  'a BPF program is not %s',
  (signature) => {
    expect(() => targetProgram('p2', 2, signature)).toThrow(
      `a BPF program is not declared as "${signature}"`,
    );
  },
);

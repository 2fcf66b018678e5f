import { describe, expect, test } from 'vitest';
import { bootKernel } from '../kernel.ts';
import { Rig } from '../testing/attach-rig.ts';
import type { TracingKind } from './program.ts';
import {
  functionNamed,
  moduleFunction,
  noreturnFunction,
  spellFunction,
  targetProgram,
  tracedFunction,
} from './traced-function.ts';

/*
 * Functions like do_exit(). 6.12 (from 6.12.27 on) and 7.2 refuse programs that would run after them, 6.1 does not:
 * read in kernel/bpf/verifier.c of all three.
 */
const F2 = tracedFunction('f2', 2, 'u64 x2 -> u64');
const F9 = noreturnFunction(tracedFunction('f9', 9, 'u64 -> void'));
const FUNCTIONS = [F2, F9];

describe.each(['6.1', '6.12', '7.2'])('a function that does not return, %s', (profile) => {
  const rig = () => new Rig(profile, FUNCTIONS);

  test('is the end of the task that calls it, which is no fault', () => {
    const { who, run } = rig().call('f9');
    expect(who).toEqual(['f9']);
    expect(run).toMatchObject({ gone: true, fault: undefined });
    expect(run.events[0]).toMatchObject({ kind: 'body', args: ['0x1'] });
    expect(rig().call('f2').run.gone).toBe(false);
  });

  test('shows its calls to entry programs, which do not mind', () => {
    const fixture = rig();
    expect(fixture.load(1, 'fentry', 'f9')).toBe(0);
    expect(fixture.link(1)).toBe(0);
    expect(fixture.call('f9')).toMatchObject({ who: ['prog#1', 'f9'], run: { gone: true } });
    fixture.close(1);
    fixture.answer({ do: 'close(prog)', prog: 1 });
    fixture.answer({ do: 'settle' });
    expect(fixture.k.bpf.images).toEqual({});
  });

  test('leaves no hooked return and no shadow stack after', () => {
    const fixture = rig();
    fixture.answer({
      do: 'register_kretprobe',
      kretprobe: 'kretprobe#1',
      ip: 'f9',
      maxactive: 1,
      entryHandler: true,
    });
    fixture.answer({ do: 'register_ftrace_graph', gops: 'gops#1' });
    expect(fixture.call('f9').who).toContain('kretprobe#1');
    expect(fixture.k.probes.hooked).toEqual([]);
    expect(fixture.k.probes.rethooks['kretprobe#1']).toMatchObject({ free: 1, max: 1 });
    expect(fixture.k.fgraph).toMatchObject({ retStack: [], used: 0 });
    expect(fixture.call('f9').who).toContain('kretprobe#1');
    expect(fixture.k.probes.kretprobes['kretprobe#1']!.nmissed).toBe(0);
    expect(fixture.call('f2').run).toMatchObject({ gone: false, fault: undefined, stackBalanced: true });
  });
});

const BEHIND: readonly TracingKind[] = ['fexit', 'fmod_ret', 'fsession'];

describe('a program that would run after it', () => {
  test.each(['6.12', '7.2'])('is refused at its load, %s', (profile) => {
    const rig = new Rig(profile, FUNCTIONS);
    expect(BEHIND.map((kind, i) => rig.load(i + 1, kind, 'f9'))).toEqual(['EINVAL', 'EINVAL', 'EINVAL']);
    expect(rig.load(4, 'fexit', 'f2')).toBe(0);
    expect(rig.k.bpf.trampolines['f9']).toBeUndefined();
  });

  test.each(['fexit', 'fsession'] as const)('is refused when a multi link names it: %s', (kind) => {
    const rig = new Rig('7.2', FUNCTIONS);
    const link = (name: string, targets: readonly string[]) =>
      rig.answer({ do: 'BPF_LINK_CREATE', link: name, prog: 1, targets });
    expect(rig.load(1, kind, '', { multi: true })).toBe(0);
    expect(link('link#1', ['f2', 'f9'])).toBe('EINVAL');
    expect(link('link#1', ['f2'])).toBe(0);
  });

  test('is taken by 6.1, whose image is never freed once a task has ended in it', () => {
    const rig = new Rig('6.1', FUNCTIONS);
    rig.load(1, 'fexit', 'f9');
    rig.link(1);
    expect(rig.call('f9').who).toEqual(['f9']);
    expect(rig.k.bpf.images['tramp#1']!.refs).toBe(1);
    expect(rig.close(1)).toEqual([]);
    rig.answer({ do: 'close(prog)', prog: 1 });
    rig.answer({ do: 'settle' });
    expect(rig.k.bpf.images['tramp#1']).toMatchObject({ state: 'draining', refs: 1, killed: true });
    expect(rig.k.bpf.progs[1]!.freed).toBe(true);
    expect(rig.k.deferred.map(({ routine }) => routine)).toEqual(['__bpf_tramp_image_put']);
    expect(rig.site('f9')).toBe('nop5');
  });

  test('is not in the way of the image when fmod_ret keeps the task from the function', () => {
    const rig = new Rig('6.1', FUNCTIONS);
    rig.load(1, 'fmod_ret', 'f9', {}, { hi: 0, lo: 7 });
    rig.link(1);
    expect(rig.call('f9')).toMatchObject({ who: ['prog#1'], run: { gone: false, rax: '0x7' } });
    rig.close(1);
    rig.answer({ do: 'settle' });
    expect(rig.k.bpf.images).toEqual({});
  });
});

test('a function that does not return is in a state as others are', () => {
  const inModule = noreturnFunction(moduleFunction('f5', 5, 'u64 -> void', 'm1'));
  expect([F9, inModule].map(spellFunction)).toEqual([
    '9 noreturn: u64 -> void',
    '5 [m1] noreturn: u64 -> void',
  ]);
  const { functions } = bootKernel({ profile: '6.1', boot: 'default', functions: [F9, inModule] });
  expect(functionNamed(functions, 'f9')).toEqual(F9);
  expect(functionNamed(functions, 'f5')).toEqual(inModule);
});

test('who calls others, is called by others or is a BPF program has to return', () => {
  const cb = tracedFunction('cb', 1, 'u64 x2 -> u64');
  const f1 = tracedFunction('f1', 2, 'u64 -> u64');
  expect(() => noreturnFunction(cb)).toThrow('cb calls others, and cannot be noreturn');
  expect(() => noreturnFunction(targetProgram('p1', 1, 'u64 -> u64'))).toThrow('p1 is a BPF program');
  const boot = () => bootKernel({ profile: '6.1', boot: 'default', functions: [cb, noreturnFunction(f1)] });
  expect(boot).toThrow('f1 is called by another function, and cannot be noreturn');
});

import { describe, expect, test } from 'vitest';
import { KERNELS, profileNamed } from '../../core/profile.ts';
import { KERNEL_PROGRAM } from '../../step.ts';
import { Rig } from '../../testing/attach-rig.ts';
import { fromNumber } from '../../x86/word.ts';
import { tracedFunction } from '../traced-function.ts';
import { DESIGNS } from './all.ts';
import { multiKinds } from './chosen.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const F2 = tracedFunction('f2', 2, 'u64 x2 -> u64');
const F13 = tracedFunction('f13', 13, 'u64 x13 -> u64');

function rig(profile: string): Rig {
  return new Rig(profile, [F1, F2, F13]);
}

function linkTo(rig: Rig, prog: number, ...targets: string[]) {
  return rig.answer({ do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets });
}

describe('designs', () => {
  test('have names and routines of their own, all of them part of the kernel', () => {
    expect(new Set(DESIGNS.map(({ name }) => name)).size).toBe(DESIGNS.length);
    const routines = [
      ...new Set(
        DESIGNS.flatMap((design) => [
          design.attach,
          design.detach,
          ...(design.background ?? []),
          ...(design.routines ?? []),
        ]),
      ),
    ];
    expect(new Set(routines.map(({ name }) => name)).size).toBe(routines.length);
    for (const { name } of routines) expect(KERNEL_PROGRAM.entries.has(name)).toBe(true);
    for (const { cFunctions = {} } of DESIGNS)
      for (const name of Object.keys(cFunctions)) expect(KERNEL_PROGRAM.cFunctions[name]).toBeDefined();
  });

  test.each(DESIGNS)('$name refuses a function that is not there', ({ name, kinds, needs }) => {
    const kernel = KERNELS.find((version) => needs?.(profileNamed(version)) === undefined)!;
    const fixture = rig(`${kernel}, multiLinks = ${name}`);
    fixture.load(1, kinds[0]!, '', { multi: true });
    expect(linkTo(fixture, 1, 'f1', 'nowhere')).toMatch(/^(EINVAL|ENOENT|EOPNOTSUPP)$/);
  });

  test('are no part of 6.1 and 6.12, where no program is loaded for many functions', () => {
    for (const kernel of ['6.1', '6.12'])
      expect(rig(kernel).load(1, 'fentry', '', { multi: true })).toBe('EINVAL');
    expect(KERNELS.map((kernel) => multiKinds(profileNamed(kernel)))).toEqual([
      [],
      [],
      ['fentry', 'fexit', 'fsession'],
    ]);
  });

  test('with a stub in place of the functions refuse to load a program that sleeps', () => {
    for (const { name, stubWords, needs, kinds } of DESIGNS) {
      const kernel = KERNELS.find((version) => needs?.(profileNamed(version)) === undefined)!;
      const answer = rig(`${kernel}, multiLinks = ${name}`).load(1, kinds[0]!, '', {
        multi: true,
        sleepable: true,
      });
      expect([name, answer]).toEqual([name, stubWords === undefined ? 0 : 'EINVAL']);
    }
  });

  test('that are not there, or cannot run on a kernel, are refused when it is booted', () => {
    expect(() => rig('6.12, multiLinks = at once')).toThrow(
      'there are no multi links of the design at once; there are none, ',
    );
    expect(() => rig('6.12, multiLinks = tracing multi')).toThrow(
      'tracing multi cannot run on 6.12: it has no update_ftrace_direct_add()',
    );
  });
});

describe.each(KERNELS)('one by one on %s', (kernel) => {
  const profile = `${kernel}, multiLinks = one by one`;

  test.each(['fentry', 'fexit', 'fmod_ret'] as const)(
    'a program of kind %s runs for each function',
    (kind) => {
      const fixture = rig(profile);
      expect(fixture.load(1, kind, '', { multi: true })).toBe(0);
      expect(linkTo(fixture, 1, 'f1', 'f2')).toBe(0);
      for (const fn of ['f1', 'f2'])
        expect(fixture.call(fn).who).toEqual(kind === 'fexit' ? [fn, 'prog#1'] : ['prog#1', fn]);
      expect(fixture.close(1)).toEqual([]);
      for (const fn of ['f1', 'f2']) expect(fixture.call(fn).who).toEqual([fn]);
      fixture.answer({ do: 'settle' });
      expect(fixture.k.bpf.images).toEqual({});
      expect(fixture.k.bpf.trampolines).toEqual({});
    },
  );

  test('a function that is refused takes those before it along', () => {
    const fixture = rig(profile);
    fixture.load(1, 'fentry', '', { multi: true });
    expect(linkTo(fixture, 1, 'f1', 'f2', 'f13')).toBe('EINVAL');
    expect(fixture.call('f1').who).toEqual(['f1']);
    fixture.answer({ do: 'settle' });
    expect(fixture.k.bpf.trampolines).toEqual({});
    expect(fixture.k.bpf.progs[1]!.refs).toBe(1);
  });

  test('functions have cookies one after the other, and single programs beside it', () => {
    const fixture = rig(profile);
    fixture.load(1, 'fentry', '', { multi: true, cookie: fromNumber(0x10) });
    fixture.load(2, 'fexit', 'f2');
    expect(fixture.link(2)).toBe(0);
    expect(linkTo(fixture, 1, 'f1', 'f2')).toBe(0);
    expect(fixture.call('f2').who).toEqual(['prog#1', 'f2', 'prog#2']);
    const cookies = ['f1', 'f2'].map((fn) => fixture.call(fn).run.events[0]!.cookie);
    expect(cookies).toEqual(['0x10', '0x11']);
  });
});

test('a kernel with many functions attaches to all of them, and any of them is called', () => {
  const functions = Array.from({ length: 300 }, (_, i) => tracedFunction(`f${i + 1}`, i + 1, 'u64 -> u64'));
  const rig = new Rig('7.2', functions);
  rig.load(1, 'fexit', '', { multi: true });
  expect(linkTo(rig, 1, ...functions.map(({ name }) => name))).toBe(0);
  for (const fn of ['f1', 'f65', 'f300', 'f1']) expect(rig.call(fn).who).toEqual([fn, 'prog#1']);
  expect(rig.close(1)).toEqual([]);
  expect(rig.call('f300').who).toEqual(['f300']);
});

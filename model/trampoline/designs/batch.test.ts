import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../call/outcome.ts';
import { counting } from '../../cost/cost.ts';
import { apply, KERNEL_PROGRAM } from '../../step.ts';
import { Rig } from '../../testing/attach-rig.ts';
import { fromNumber } from '../../x86/word.ts';
import type { BpfProgram, TracingKind } from '../program.ts';
import { tracedFunction } from '../traced-function.ts';

const FUNCTIONS = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  tracedFunction('f2', 2, 'u64 x2 -> u64'),
  tracedFunction('f3', 3, 'u64 x3 -> u64'),
  tracedFunction('f4', 4, 'u64 x6 -> u64'),
  tracedFunction('f5', 5, 's16b -> u64'),
];

function rig(kernel: string): Rig {
  return new Rig(`${kernel}, multiLinks = batch`, FUNCTIONS);
}

/** Loads a program of multi links and attaches it: what the link is answered. */
function attach(
  rig: Rig,
  id: number,
  targets: readonly string[],
  kind: TracingKind = 'fentry',
  more: Partial<BpfProgram> = {},
): Outcome['errno'] {
  expect(rig.load(id, kind, '', { multi: true, ...more })).toBe(0);
  return rig.answer({ do: 'BPF_LINK_CREATE', link: `link#${id}`, prog: id, targets });
}

/** The return value that a program saw, and the one that the caller got. */
function returned(rig: Rig, fn: string, prog: string) {
  const { run } = rig.call(fn);
  return [run.events.find(({ who }) => who === prog)!.ret, run.rax];
}

describe.each(['6.1', '6.12'])('the batch attach of 2021 on %s', (kernel) => {
  test('has one image for its functions, and the same set shares it', () => {
    const fixture = rig(kernel);
    expect(attach(fixture, 1, ['f1', 'f2'])).toBe(0);
    expect(attach(fixture, 2, ['f2', 'f1'], 'fexit')).toBe(0);
    for (const fn of ['f1', 'f2']) expect(fixture.call(fn).who).toEqual(['prog#1', fn, 'prog#2']);
    expect(fixture.site('f1')).toBe(fixture.site('f2'));
    expect(fixture.close(1)).toEqual([]);
    expect(fixture.call('f2').who).toEqual(['f2', 'prog#2']);
    expect(fixture.close(2)).toEqual([]);
    fixture.answer({ do: 'settle' });
    expect(fixture.k.bpf.images).toEqual({});
    expect(fixture.k.bpf.design).toMatchObject({ shared: {}, multis: {}, links: {}, multiNodes: [] });
  });

  test('refuses a set that has some functions of another', () => {
    const fixture = rig(kernel);
    expect(attach(fixture, 1, ['f1', 'f2'])).toBe(0);
    expect(attach(fixture, 2, ['f2', 'f3', 'f4'])).toBe('EINVAL');
    expect(attach(fixture, 3, ['f3', 'f4'])).toBe(0);
  });

  test('refuses single programs on its functions from then on: at their load, and at another link', () => {
    const fixture = rig(kernel);
    expect(attach(fixture, 1, ['f1', 'f2'])).toBe(0);
    expect(fixture.load(2, 'fentry', 'f1')).toBe('EBUSY');
    expect(fixture.load(3, 'fentry', 'f3')).toBe(0);
    expect([fixture.link(3), fixture.close(3), attach(fixture, 4, ['f3', 'f4']), fixture.link(3)]).toEqual([
      0,
      [],
      0,
      'EBUSY',
    ]);
    fixture.close(1);
    expect(fixture.load(2, 'fentry', 'f1')).toBe(0);
  });

  test('nests a function that has a single trampoline, and runs beside its programs', () => {
    const fixture = rig(kernel);
    fixture.load(1, 'fentry', 'f1');
    expect(fixture.link(1)).toBe(0);
    expect(attach(fixture, 2, ['f1', 'f2'])).toBe(0);
    expect(fixture.call('f1').who).toEqual(['prog#2', 'prog#1', 'f1']);
    expect(fixture.call('f2').who).toEqual(['prog#2', 'f2']);
    expect(fixture.site('f1')).not.toBe(fixture.site('f2'));
    expect(fixture.close(2)).toEqual([]);
    expect(fixture.call('f1').who).toEqual(['prog#1', 'f1']);
    expect(fixture.call('f2').who).toEqual(['f2']);
  });

  test('refuses a set of which every function is nested, and the program for ever after', () => {
    const fixture = rig(kernel);
    fixture.load(1, 'fentry', 'f1');
    fixture.link(1);
    expect(attach(fixture, 2, ['f1'])).toBe('EINVAL');
    expect(fixture.call('f1').who).toEqual(['prog#1', 'f1']);
    expect(fixture.answer({ do: 'BPF_LINK_CREATE', link: 'link#2', prog: 2, targets: ['f2'] })).toBe('EBUSY');
  });

  test('takes functions of words only, no cookies, and one link of a program', () => {
    const fixture = rig(kernel);
    expect(attach(fixture, 1, ['f1', 'f5'])).toBe('EINVAL');
    expect(attach(fixture, 2, ['f1'], 'fentry', { cookie: fromNumber(1) })).toBe('EINVAL');
    expect(attach(fixture, 3, ['f1'])).toBe(0);
    expect(fixture.answer({ do: 'BPF_LINK_CREATE', link: 'link#8', prog: 3, targets: ['f2'] })).toBe('EBUSY');
    expect(fixture.load(4, 'fmod_ret', '', { multi: true })).toBe('EINVAL');
  });

  test('takes two sets of one size for the same when their first bytes are', () => {
    const fixture = rig(kernel);
    attach(fixture, 1, ['f1', 'f2']);
    expect(attach(fixture, 2, ['f1', 'f3'])).toBe(0);
    expect(['f1', 'f2', 'f3'].map((fn) => fixture.call(fn).who)).toEqual([
      ['prog#2', 'prog#1', 'f1'],
      ['prog#2', 'prog#1', 'f2'],
      ['f3'],
    ]);
  });
});

describe('the return value', () => {
  test('is after six arguments when a function of the set has six', () => {
    const fixture = rig('6.12');
    attach(fixture, 1, ['f1', 'f4'], 'fexit', { reads: 'direct' });
    const [seen, got] = returned(fixture, 'f1', 'prog#1');
    expect(seen).toBe(got);
  });

  test('is elsewhere when none has; helpers find it', () => {
    const fixture = rig('6.12');
    attach(fixture, 1, ['f1', 'f2'], 'fexit', { reads: 'direct' });
    attach(fixture, 2, ['f1', 'f2'], 'fexit');
    const [seen, got] = returned(fixture, 'f1', 'prog#1');
    expect(seen).not.toBe(got);
    expect(returned(fixture, 'f1', 'prog#2')[0]).toBe(got);
  });

  test('is where both programs of a nested trampoline look, from the second one of a multi link on', () => {
    const fixture = rig('6.12');
    fixture.load(1, 'fexit', 'f1', { reads: 'direct' });
    fixture.link(1);
    attach(fixture, 2, ['f1', 'f4'], 'fexit', { reads: 'direct' });
    const first = returned(fixture, 'f1', 'prog#2');
    expect(first[0]).not.toBe(first[1]);
    attach(fixture, 3, ['f1', 'f4'], 'fexit', { reads: 'direct' });
    for (const prog of ['prog#1', 'prog#2', 'prog#3']) {
      const [seen, got] = returned(fixture, 'f1', prog);
      expect(seen).toBe(got);
    }
  });
});

test.each([3, 2000])('for %i functions there is one image, and hash copies grow with the square', (count) => {
  const functions = Array.from({ length: count }, (_, i) => tracedFunction(`f${i + 1}`, i + 1, 'u64 -> u64'));
  const rig = new Rig('6.12, multiLinks = batch', functions);
  const { cost, watch } = counting();
  rig.load(1, 'fentry', '', { multi: true });
  const targets = functions.map(({ name }) => name);
  apply(rig.k, { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets }, KERNEL_PROGRAM, watch);
  const copied = count * (count - 1) + 2 * count;
  expect(cost).toMatchObject({ images: 1, textPokes: count + 2, entriesCopied: copied });
  for (const fn of [targets[0]!, targets.at(-1)!]) expect(rig.call(fn).who).toEqual(['prog#1', fn]);
});

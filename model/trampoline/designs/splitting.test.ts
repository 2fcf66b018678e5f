import { describe, expect, test } from 'vitest';
import { KERNELS } from '../../core/profile.ts';
import { Rig } from '../../testing/attach-rig.ts';
import type { BpfProgram, TracingKind } from '../program.ts';
import { tracedFunction } from '../traced-function.ts';
import type { MultiTrampolines } from './multi-trampoline.ts';

const NAMES = ['f1', 'f2', 'f3', 'f4'];
const FUNCTIONS = [
  ...NAMES.map((name, i) => tracedFunction(name, i + 1, 'u64 x2 -> u64')),
  tracedFunction('g1', 5, 'u64 x6 -> u64'),
  tracedFunction('g2', 6, 'u64 x6 -> u64'),
  tracedFunction('wide', 7, 'u64 x7 -> u64'),
];

class Splitting extends Rig {
  constructor(kernel: string) {
    super(`${kernel}, multiLinks = splitting`, FUNCTIONS);
  }

  /** A program of multi links, loaded and linked. */
  multi(
    prog: number,
    targets: readonly string[],
    kind: TracingKind = 'fentry',
    more: Partial<BpfProgram> = {},
  ) {
    expect(this.load(prog, kind, '', { multi: true, ...more })).toBe(0);
    return this.answer({ do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets });
  }

  /** The sets of functions that have a trampoline together. */
  sets(): string[] {
    const { byName } = this.k.bpf.design as MultiTrampolines;
    return Object.values(byName).map(({ ids }) => ids.join(' '));
  }

  seen(...names: string[]): string[] {
    return names.map((fn) => this.call(fn).who.join(' '));
  }

  /** All programs are detached, and time has passed. */
  isAsAtBoot(): boolean {
    this.answer({ do: 'settle' });
    const { images, trampolines } = this.k.bpf;
    const sites = Object.keys(this.k.functions).every((fn) => this.site(fn) === 'nop5');
    return (
      sites &&
      [images, trampolines, this.k.ftrace.directFunctions].every((all) => Object.keys(all).length === 0)
    );
  }
}

describe.each(KERNELS)('splitting on %s', (kernel) => {
  test('a link has one image for each number of arguments', () => {
    const splitting = new Splitting(kernel);
    expect(splitting.multi(1, ['f1', 'g1', 'f2', 'g2'], 'fexit')).toBe(0);
    expect(splitting.sets()).toEqual(['f1 f2', 'g1 g2']);
    expect(Object.keys(splitting.k.bpf.images)).toHaveLength(2);
    expect(splitting.seen('f1', 'g2')).toEqual(['f1 prog#1', 'g2 prog#1']);
    for (const fn of ['f1', 'f2', 'g1', 'g2']) {
      const { run } = splitting.call(fn);
      expect(run.stackBalanced && run.callerStackIntact).toBe(true);
      expect(run.events[1]!.args).toEqual(run.events[0]!.args);
      expect(run.events[1]!.ret).toBe(run.rax);
    }
    expect(splitting.close(1)).toEqual([]);
    expect(splitting.isAsAtBoot()).toBe(true);
  });

  test('a link that wants some functions of a set splits it, and every program is where it was asked for', () => {
    const splitting = new Splitting(kernel);
    expect(splitting.multi(1, ['f1', 'f2', 'f3'])).toBe(0);
    expect(splitting.multi(2, ['f3', 'f4'])).toBe(0);
    expect(splitting.sets()).toEqual(['f1 f2']);
    expect(splitting.seen(...NAMES)).toEqual(['prog#1 f1', 'prog#1 f2', 'prog#2 prog#1 f3', 'prog#2 f4']);
    expect(splitting.close(1)).toEqual([]);
    expect(splitting.seen(...NAMES)).toEqual(['f1', 'f2', 'prog#2 f3', 'prog#2 f4']);
    expect(splitting.close(2)).toEqual([]);
    expect(splitting.isAsAtBoot()).toBe(true);
  });

  test('a link to one function splits as well, and what is split stays so', () => {
    const splitting = new Splitting(kernel);
    expect(splitting.multi(1, NAMES)).toBe(0);
    splitting.load(2, 'fexit', 'f2');
    expect(splitting.link(2)).toBe(0);
    expect(splitting.sets()).toEqual(['f1 f3 f4']);
    expect(splitting.seen('f1', 'f2')).toEqual(['prog#1 f1', 'prog#1 f2 prog#2']);
    expect(splitting.close(2)).toEqual([]);
    expect(splitting.sets()).toEqual(['f1 f3 f4']);
    expect(splitting.seen('f1', 'f2')).toEqual(['prog#1 f1', 'prog#1 f2']);
    expect(splitting.close(1)).toEqual([]);
    splitting.answer({ do: 'close(prog)', prog: 2 });
    expect(splitting.isAsAtBoot()).toBe(true);
  });

  test('a set that is wanted whole gets another image, by one change of ftrace', () => {
    const splitting = new Splitting(kernel);
    expect(splitting.multi(1, ['f1', 'f2'])).toBe(0);
    expect(splitting.multi(2, ['f2', 'f1'], 'fmod_ret')).toBe(0);
    expect(splitting.sets()).toEqual(['f1 f2']);
    expect(splitting.seen('f1', 'f2')).toEqual(['prog#1 prog#2 f1', 'prog#1 prog#2 f2']);
  });

  test('too many arguments, a cookie, and a program that is there are refused, and nothing is split', () => {
    const splitting = new Splitting(kernel);
    expect(splitting.multi(1, ['f1', 'f2'])).toBe(0);
    expect(splitting.multi(2, ['f1', 'wide'])).toBe('EINVAL');
    expect(splitting.multi(3, ['f1'], 'fentry', { cookie: { hi: 0, lo: 1 } })).toBe('EINVAL');
    expect(splitting.answer({ do: 'BPF_LINK_CREATE', link: 'link#4', prog: 1, targets: ['f2', 'f3'] })).toBe(
      'EBUSY',
    );
    expect(splitting.load(5, 'fexit', '', { multi: true, reads: 'direct' })).toBe('EACCES');
    expect(splitting.sets()).toEqual(['f1 f2']);
    expect(splitting.seen('f1', 'f2', 'f3')).toEqual(['prog#1 f1', 'prog#1 f2', 'f3']);
  });

  test('when memory lacks for what is new, what was split is one again', () => {
    const splitting = new Splitting(kernel);
    expect(splitting.multi(1, ['f1', 'f2', 'f3'])).toBe(0);
    splitting.load(2, 'fentry', '', { multi: true });
    splitting.answer({ do: 'fail', fault: { what: 'allocation', where: 'bpf_tramp_attach' } });
    expect(splitting.answer({ do: 'BPF_LINK_CREATE', link: 'link#2', prog: 2, targets: ['f3', 'f4'] })).toBe(
      'ENOMEM',
    );
    expect(splitting.sets()).toEqual(['f1 f2 f3']);
    expect(splitting.seen('f1', 'f3', 'f4')).toEqual(['prog#1 f1', 'prog#1 f3', 'f4']);
    expect(splitting.close(1)).toEqual([]);
    expect(splitting.isAsAtBoot()).toBe(true);
  });
});

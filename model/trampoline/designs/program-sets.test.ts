import { describe, expect, test } from 'vitest';
import { KERNELS } from '../../core/profile.ts';
import { Rig } from '../../testing/attach-rig.ts';
import { tracedFunction } from '../traced-function.ts';
import type { MultiTrampolines } from './multi-trampoline.ts';

const FUNCTIONS = ['f1', 'f2', 'f3', 'f4'].map((name, i) => tracedFunction(name, i + 1, 'u64 x2 -> u64'));

function attached(kernel: string): Rig {
  const rig = new Rig(`${kernel}, multiLinks = program sets`, FUNCTIONS);
  for (const [prog, targets] of [
    [1, ['f1', 'f2', 'f3']],
    [2, ['f2', 'f3', 'f4']],
  ] as const) {
    expect(rig.load(prog, 'fexit', '', { multi: true })).toBe(0);
    expect(rig.answer({ do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets })).toBe(0);
  }
  return rig;
}

function rows({ k }: Rig): string[] {
  const { byName } = k.bpf.design as MultiTrampolines;
  return Object.values(byName).map(
    ({ ids, nodes }) => `${ids.join(' ')}: ${nodes.map(({ prog }) => prog).join()}`,
  );
}

describe.each(KERNELS)('program sets on %s', (kernel) => {
  test('a link cuts rows; one function alone has its own trampoline, and every program sees the calls in order', () => {
    const rig = attached(kernel);
    expect(rows(rig)).toEqual(['f2 f3: 1,2']);
    const seen = FUNCTIONS.map(({ name }) => rig.call(name).who.join(' '));
    expect(seen).toEqual(['f1 prog#1', 'f2 prog#2 prog#1', 'f3 prog#2 prog#1', 'f4 prog#2']);
  });

  test('a program that leaves merges nothing, and when all have left nothing is left', () => {
    const rig = attached(kernel);
    expect(rig.close(1)).toEqual([]);
    expect(rows(rig)).toEqual(['f2 f3: 2']);
    expect(rig.close(2)).toEqual([]);
    rig.answer({ do: 'settle' });
    expect([rig.k.bpf.images, rig.k.bpf.trampolines, rows(rig)]).toEqual([{}, {}, []]);
  });
});

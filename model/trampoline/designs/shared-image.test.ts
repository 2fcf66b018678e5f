import { describe, expect, test } from 'vitest';
import { apply } from '../../step.ts';
import { Rig } from '../../testing/attach-rig.ts';
import { addressOf } from '../../text/space.ts';
import { fromNumber, toHex } from '../../x86/word.ts';
import type { BpfProgram } from '../program.ts';
import { tracedFunction } from '../traced-function.ts';

const FUNCTIONS = [
  tracedFunction('f1', 1, 'u64 -> u64'),
  tracedFunction('f2', 2, 'u64 x2 -> u64'),
  tracedFunction('f6', 6, 'u64 x6 -> u64'),
  tracedFunction('f8', 8, 'u64 x8 -> u64'),
  tracedFunction('f9', 9, 'u64 x9 -> u64'),
];

function linked(
  profile: string,
  kind: 'fentry' | 'fexit',
  targets: readonly string[],
  more: Partial<BpfProgram> = {},
): Rig {
  const rig = new Rig(profile, FUNCTIONS);
  expect(rig.load(1, kind, '', { multi: true, getFuncIp: true, ...more })).toBe(0);
  expect(rig.answer({ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets })).toBe(0);
  return rig;
}

/** A call with six words in registers and three on the stack, whatever the function is declared with. */
function callWithStack({ k }: Rig, fn: string) {
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => fromNumber(0x100 + from + i));
  return apply(k, { do: 'call', fn, registers: words(1, 6), stack: words(7, 3) }).call!;
}

describe.each(['6.1', '6.12', '7.2'])('one image for many functions on %s', (kernel) => {
  const profile = `${kernel}, multiLinks = generic`;

  test.each(['fentry', 'fexit'] as const)('serves each of them: %s', (kind) => {
    const rig = linked(profile, kind, ['f1', 'f2', 'f6']);
    expect(Object.keys(rig.k.bpf.images)).toEqual(['tramp#1']);
    for (const fn of ['f1', 'f2', 'f6']) {
      const { who, run } = rig.call(fn);
      expect(who).toEqual(kind === 'fexit' ? [fn, 'prog#1'] : ['prog#1', fn]);
      const seen = run.events.find((event) => event.who === 'prog#1')!;
      expect(seen.fn).toBe(fn);
      expect(seen.ip).toBe(toHex(addressOf(rig.k, fn)));
      if (kind === 'fexit') expect(seen.ret).toBe(run.rax);
      expect(run.stackBalanced && run.callerStackIntact).toBe(true);
      expect(run.calleeSaved).toEqual([]);
    }
  });

  test('is replaced and freed like any other', () => {
    const rig = linked(profile, 'fexit', ['f1', 'f2']);
    rig.load(2, 'fentry', 'f2');
    expect(rig.link(2)).toBe(kernel === '7.2' ? 'EINVAL' : 'EBUSY');
    expect(rig.close(1)).toEqual([]);
    for (const fn of ['f1', 'f2']) expect(rig.call(fn).who).toEqual([fn]);
    rig.answer({ do: 'settle' });
    expect(rig.k.bpf.images).toEqual({});
    expect(rig.k.bpf.design).toEqual({ shared: {} });
  });
});

describe.each(['6.12', '7.2'])('with arguments on the stack on %s', (kernel) => {
  test.each(['fentry', 'fexit'] as const)('each function gets its own: %s', (kind) => {
    const rig = linked(`${kernel}, multiLinks = generic`, kind, ['f1', 'f8', 'f9']);
    for (const [fn, count] of [
      ['f1', 1],
      ['f8', 8],
      ['f9', 9],
    ] as const) {
      const run = callWithStack(rig, fn);
      const expected = Array.from({ length: count }, (_, i) => `0x${(0x101 + i).toString(16)}`);
      for (const event of run.events) expect([event.who, event.args]).toEqual([event.who, expected]);
      expect(run.events).toHaveLength(2);
      expect(run.stackBalanced && run.callerStackIntact).toBe(true);
    }
  });

  test('a program of its own that reads ctx itself is promised no more than the stub has', () => {
    const rig = linked(`${kernel}, multiLinks = generic`, 'fentry', ['f1', 'f9'], { reads: 'direct' });
    const argsSeen = (fn: string) => callWithStack(rig, fn).events[0]!.args!.length;
    expect(['f1', 'f9'].map(argsSeen)).toEqual([1, 6]);
  });
});

test('6.1 has images with six words, and a set with a longer function is refused as a whole', () => {
  const rig = new Rig('6.1, multiLinks = generic', FUNCTIONS);
  rig.load(1, 'fentry', '', { multi: true });
  const targets = ['f1', 'f8'];
  expect(rig.answer({ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets })).toBe('ENOTSUPP');
  expect(rig.call('f1').who).toEqual(['f1']);
  expect(rig.k.bpf.design).toEqual({ shared: {} });
});

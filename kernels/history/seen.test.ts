import { expect, test } from 'vitest';
import { declareTracepoint } from '../../model/raw-tracepoint/tracepoints.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import type { Compared, Seen } from './seen.ts';
import { inSameWords } from './seen.ts';

const compared: Compared = {
  functions: [tracedFunction('v3', 20, 'u64 x3 -> void'), tracedFunction('f1', 1, 'u64 -> u64')],
  tracepoints: [declareTracepoint('tp1', 'u64, u8')],
  probes: new Set(),
  patches: new Set(['ops#1']),
};

function afterReturn(ret: string, ranFor?: string): Seen {
  return { kind: 'program', who: 'prog#1', fn: '', ret, ...(ranFor === undefined ? {} : { ranFor }) };
}

test.each([
  ['v3', 'program prog#1 returns nothing', 'program prog#1 returns nothing'],
  ['f1', 'program prog#1 returns 0x489e', 'program prog#1 returns 0x0'],
])('what a program sees %s return is compared as wide as the function’s type', (fn, kernel, model) => {
  const words = inSameWords([afterReturn('0x489e')], [afterReturn('0x0', fn)], compared);
  expect(words).toEqual({ kernel: [kernel], model: [model] });
});

test('of a kprobe without its address the words are not compared, of one with it those that are arguments', () => {
  const seen = (fn: string, second: string): Seen => ({
    kind: 'kprobe',
    who: 'kprobe#1',
    fn,
    args: ['0x1', second],
  });
  const words = (fn: string) => inSameWords([seen(fn, '0x2')], [seen(fn, '0x3')], compared);
  expect(words('?').kernel).toEqual(['kprobe kprobe#1 of ?']);
  expect(words('?').model).toEqual(words('?').kernel);
  expect(words('f1').kernel).toEqual(['kprobe kprobe#1 of f1 (0x1)']);
  expect(words('v3').kernel).toEqual(['kprobe kprobe#1 of v3 (0x1, 0x2)']);
  expect(words('v3').model).not.toEqual(words('v3').kernel);
});

test('of a hit a program sees the arguments that there are, and a probe the bytes that are theirs', () => {
  const seen = (kind: string, who: string, args: readonly string[]): Seen => ({
    kind,
    who,
    args,
    ...(kind === 'program' ? { fn: '', ranFor: 'tp1' } : { fn: 'tp1' }),
  });
  const all = inSameWords(
    [seen('program', 'prog#1', ['0x1', '0x2', '0x3'])],
    [seen('program', 'prog#1', ['0x1', '0x2'])],
    compared,
  );
  expect(all.kernel).toEqual(['program prog#1 (0x1, 0x2)']);
  expect(all.model).toEqual(all.kernel);
  const probe = inSameWords(
    [seen('tracepoint probe', 'my_probe1', ['0x1', '0x2'])],
    [seen('tracepoint probe', 'my_probe1', ['0x1', '0x702'])],
    compared,
  );
  expect(probe.model).toEqual(['tracepoint probe my_probe1 of tp1 (0x1, 0x2)']);
  expect(probe.kernel).toEqual(probe.model);
});

test('the handler of a live patch is silent where it is the kernel’s own: its event is left out of both', () => {
  const ran = (who: string): Seen => ({ kind: 'ftrace', who, fn: 'f1', args: ['0x1'] });
  const replacement: Seen = { kind: 'replacement', who: '', fn: '?' };
  const words = inSameWords([ran('ops#2'), replacement], [ran('ops#1'), ran('ops#2'), replacement], compared);
  expect(words.kernel).toHaveLength(2);
  expect(words.model).toEqual(words.kernel);
});

import { expect, test } from 'vitest';
import { programNumber, readObjectName, withNumbers } from './object-name.ts';

test.each([
  ['ops#1', 'client', 'ops', 1, false],
  ['gops#2.ops', 'client', 'gops', 2, true],
  ['link#3', 'link', 'link', 3, false],
  ['prog#12', 'program', 'prog', 12, false],
  ['tramp#4', 'image', 'tramp', 4, false],
  ['tr(f1).fops', 'trampoline', '', undefined, true],
  ['graph_ops', 'kernel', '', undefined, false],
  ['kprobe_ftrace_ops.trampoline', 'kernel', '', undefined, true],
])('%s belongs to: %s', (name, owner, kind, number, isPart) => {
  expect(readObjectName(name)).toEqual({ owner, kind, number, isPart });
});

test('only a program has the number of a program', () => {
  expect(['prog#7', 'link#7', 'f1'].map(programNumber)).toEqual([7, undefined, undefined]);
});

test('numbers of objects are changed wherever a text names one', () => {
  const text = 'call tramp#3, of prog#1 in ops#12.trampoline+0x3';
  expect(withNumbers(text, (kind, number) => (kind === 'prog' ? number : 10 * number))).toBe(
    'call tramp#30, of prog#1 in ops#120.trampoline+0x3',
  );
});

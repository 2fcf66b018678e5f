import { expect, test } from 'vitest';
import { ftraceIsJmp, ftraceJmpGet, ftraceJmpSet } from './jmp.ts';

test('an address is marked once as one that is jumped to, and gets its mark off again', () => {
  expect(ftraceJmpSet('tramp#1')).toBe('jmp tramp#1');
  expect(ftraceJmpSet(ftraceJmpSet('tramp#1'))).toBe('jmp tramp#1');
  expect(['tramp#1', 'jmp tramp#1'].map(ftraceJmpGet)).toEqual(['tramp#1', 'tramp#1']);
  expect(['tramp#1', 'jmp tramp#1'].map(ftraceIsJmp)).toEqual([false, true]);
});

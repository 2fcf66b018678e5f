import { expect, test } from 'vitest';
import { brief, rowsOf } from './brief.ts';

test('what is zero or empty is left out', () => {
  expect(brief({ refs: 2, state: 'live', owner: '', isFreed: false, programs: [] })).toBe(
    'refs 2, state live',
  );
  expect(brief({ open: true, cookie: { hi: 0, lo: 0 } })).toBe('open');
  expect(brief([])).toBe('');
  expect(brief(null)).toBe('');
});

test('words are numbers, lists are joined, objects in objects have braces', () => {
  expect(brief({ hi: 1, lo: 2 })).toBe('0x100000002');
  expect(brief({ array: ['gops#1', ''], hash: { f1: true } })).toBe('array gops#1, –, hash { f1 }');
});

test('an object of objects has a row for each', () => {
  expect(rowsOf('', { kprobes: { 'kprobe#1': { ip: 'f1' }, 'kprobe#2': { ip: 'f2' } }, armed: 1 })).toEqual([
    { subject: 'kprobes kprobe#1', value: 'ip f1' },
    { subject: 'kprobes kprobe#2', value: 'ip f2' },
    { subject: 'armed', value: '1' },
  ]);
});

import { expect, test } from 'vitest';
import { wrap } from '../text.ts';
import { changeLines } from './change-line.ts';

const CHANGES = [
  { subject: '__x64_sys_nanosleep+0x4', from: 'nop5', to: 'call tramp#1' },
  { subject: 'tramp#1', from: '–', to: 'live' },
];

test('long names of functions fit in the column of changes', () => {
  expect(changeLines(CHANGES, ['f1', '__x64_sys_nanosleep'])).toEqual([
    '       __x64_sys_nanosleep+0x4     nop5              →  call tramp#1',
    '       tramp#1                     –                 →  live',
  ]);
  expect(changeLines(CHANGES.slice(1), ['f1'])).toEqual(['       tramp#1      –                 →  live']);
});

test('a list that does not fit continues below, on both sides', () => {
  const from = 'my_probe1 (data#1, prio 10), my_probe2 (data#2, prio 10), my_probe3 (data#3, prio 10)';
  expect(changeLines([{ subject: 'tp1->funcs', from, to: '–' }], ['f1'])).toEqual([
    '       tp1->funcs   my_probe1 (data#1, prio 10), my_probe2 (data#2, prio 10),',
    '                    my_probe3 (data#3, prio 10)',
    '                                      →  –',
  ]);
});

test('a count is not cut in two', () => {
  expect(wrap('a count of 212,417 things and 1,024 others', 14)).toEqual([
    'a count of',
    '212,417 things',
    'and 1,024',
    'others',
  ]);
});

import { expect, test } from 'vitest';
import { shapeDifferences } from './shape.ts';

test('a field more, a field less and another type are reported', () => {
  expect(shapeDifferences({ a: 1, b: [{ c: '' }] }, { a: '1', b: [{ c: '' }, { d: '' }] })).toEqual([
    '.a: number in the document, string in the output',
    '.b[].c: documented, and not printed',
    '.b[].d: printed, and not documented',
  ]);
});

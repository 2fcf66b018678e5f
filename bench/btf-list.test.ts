import { expect, test } from 'vitest';
import { functionsOfBtf } from '../commands/cost/btf.ts';
import { btfOf } from './btf-list.ts';

test('a kernel has functions of many types, and some that no program attaches to', () => {
  const functions = functionsOfBtf(btfOf(4000));
  expect(functions).toHaveLength(4000);
  const signatures = new Set(functions.map(({ signature }) => signature));
  expect(signatures.size).toBeGreaterThan(300);
  const reasons = new Set(functions.map(({ why }) => why));
  expect([...reasons]).toEqual(
    expect.arrayContaining([undefined, 'it takes variable arguments', 'it takes a union']),
  );
  expect(functionsOfBtf(btfOf(4000))).toEqual(functions);
});

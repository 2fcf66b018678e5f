import { expect, test } from 'vitest';
import { EXIT } from '../counterexamples/answer.ts';
import { attachcheck } from './console.ts';
import { scratch } from './scratch.ts';

const { path } = scratch();

test('a missing module of --with is reported', async () => {
  const { exit, stderr } = await attachcheck(['--with', path('none.ts'), '--list']);
  expect([exit, stderr]).toEqual([EXIT.USAGE, `attachcheck: --with ${path('none.ts')}: no such file\n`]);
});

import { expect, test } from 'vitest';
import { DO } from './core/instruction.ts';
import { KERNEL_PROGRAM } from './step.ts';

test('instructions of all kinds have the same fields in the same order', () => {
  const { instructions } = KERNEL_PROGRAM;
  expect(new Set(instructions.map((instruction) => instruction.do))).toEqual(new Set(Object.values(DO)));
  expect(new Set(instructions.map((instruction) => Object.keys(instruction).join(' '))).size).toBe(1);
});

import { expect, test } from 'vitest';
import { fromNumber } from '../x86/word.ts';
import { ReturnStack } from './return-stack.ts';

const [A, B, C] = [fromNumber(0x10), fromNumber(0x20), fromNumber(0x30)];

test('returns in the order of the calls are predicted, others are not', () => {
  const stack = new ReturnStack();
  stack.called(A);
  stack.called(B);
  expect(stack.returns(B)).toBe(true);
  expect(stack.returns(C)).toBe(false);
  expect(stack.returns(A)).toBe(false);
});

test('code that a function in C calls through a pointer returns to it, and it to its caller', () => {
  const stack = new ReturnStack();
  stack.called(A);
  stack.leavesC(B);
  expect(stack.returns(C)).toBe(true);
  stack.leavesC(A);
  expect(stack.returns(A)).toBe(false);
});

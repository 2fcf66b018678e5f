import { describe, expect, it } from 'vitest';
import { AH, CALLEE_SAVED, CALLER_SAVED, RSP, registerName } from './register.ts';

describe('register names', () => {
  it.each([
    [8, 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15'],
    [4, 'eax ecx edx ebx esp ebp esi edi r8d r9d r10d r11d r12d r13d r14d r15d'],
    [2, 'ax cx dx bx sp bp si di r8w r9w r10w r11w r12w r13w r14w r15w'],
    [1, 'al cl dl bl spl bpl sil dil r8b r9b r10b r11b r12b r13b r14b r15b'],
  ] as const)('at %i bytes', (width, names) => {
    expect(Array.from({ length: 16 }, (_, reg) => registerName(reg, width)).join(' ')).toBe(names);
  });

  it('the high bytes have numbers of their own', () => {
    expect([0, 1, 2, 3].map((k) => registerName(AH + k, 1))).toEqual(['ah', 'ch', 'dh', 'bh']);
  });

  it('have eight bytes by default', () => {
    expect(registerName(3)).toBe('rbx');
  });
});

it('a call saves or destroys each register but rsp', () => {
  const all = [...CALLER_SAVED, ...CALLEE_SAVED, RSP].sort((a, b) => a - b);
  expect(all).toEqual(Array.from({ length: 16 }, (_, reg) => reg));
  expect(CALLEE_SAVED.map((reg) => registerName(reg))).toEqual(['rbx', 'rbp', 'r12', 'r13', 'r14', 'r15']);
});

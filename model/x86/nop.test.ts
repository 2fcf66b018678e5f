import { describe, expect, it } from 'vitest';
import { FAMILY } from './instruction.ts';
import { NOP5, nopBytes } from './nop.ts';
import { textOf } from './rig.ts';
import { sweep } from './sweep.ts';
import { ZERO } from './word.ts';

describe('a nop', () => {
  it.each([
    [1, 'nop'],
    [2, 'xchg %ax,%ax'],
    [3, 'nopl (%rax)'],
    [4, 'nopl (%rax)'],
    [5, 'nopl (%rax,%rax)'],
    [6, 'nopw (%rax,%rax)'],
    [7, 'nopl (%rax)'],
    [8, 'nopl (%rax,%rax)'],
    [9, 'nopl (%rax,%rax)'],
    [10, 'nopw (%rax,%rax)'],
    [11, 'nopw (%rax,%rax)'],
  ])('of %i bytes is one instruction, %s', (length, text) => {
    const bytes = Uint8Array.from(nopBytes(length));
    expect(bytes.length).toBe(length);
    expect(textOf(bytes)).toBe(text);
    expect(sweep(bytes, ZERO).map(({ family }) => family)).toEqual([FAMILY.NOP]);
  });

  it('of no bytes is nothing', () => {
    expect(nopBytes(0)).toEqual([]);
  });

  it.each([12, 13, 100])('of %i bytes does not exist', (length) => {
    expect(() => nopBytes(length)).toThrow(`there is no nop of ${length} bytes`);
  });

  it('of five bytes is at every call site', () => {
    expect(NOP5).toEqual([0x0f, 0x1f, 0x44, 0x00, 0x00]);
  });
});

import { describe, expect, it } from 'vitest';
import { FAMILY, FORM } from './instruction.ts';
import { RBX, RSP } from './register.ts';
import { bytesOf } from './rig.ts';
import { isDirectBranch, sweep } from './sweep.ts';
import { fromHex, plus } from './word.ts';

const BASE = fromHex('0xffffffffc0000000');

describe('a sweep', () => {
  it('reads one instruction after the other', () => {
    const swept = sweep(bytesOf('5348895df84883ec10e8f2ffffffc3'), BASE);
    expect(swept.map(({ offset, length, family, form }) => [offset, length, family, form])).toEqual([
      [0, 1, FAMILY.PUSH, FORM.R],
      [1, 4, FAMILY.MOV, FORM.MR],
      [5, 4, FAMILY.ALU, FORM.RI],
      [9, 5, FAMILY.CALL, FORM.I],
      [14, 1, FAMILY.RETURN, FORM.NONE],
    ]);
    expect(swept.map(({ at: address }) => address)).toEqual(
      [0, 1, 5, 9, 14].map((offset) => plus(BASE, offset)),
    );
    expect(swept[0]!.reg).toBe(RBX);
    expect(swept[1]!.disp).toEqual(fromHex('0xfffffffffffffff8'));
    expect([swept[2]!.reg, swept[2]!.target]).toEqual([RSP, fromHex('0x10')]);
    expect(swept[3]!.target).toEqual(BASE);
  });

  it('tells what is relative to the %gs base', () => {
    const swept = sweep(bytesOf('6548c13d0000000005488b07488d47f8'), BASE);
    expect(swept.map(({ gs }) => gs)).toEqual([true, false, false]);
    expect(swept[0]!.disp).toEqual(plus(BASE, 9));
  });

  it.each([
    ['e800000000', true],
    ['e900000000', true],
    ['eb00', true],
    ['7400', true],
    ['0f8400000000', true],
    ['ffd0', false],
    ['ff20', false],
    ['c3', false],
    ['6a00', false],
  ])('%s is a direct branch: %s', (hex, direct) => {
    expect(sweep(bytesOf(hex), BASE).map(isDirectBranch)).toEqual([direct]);
  });

  it('of nothing is empty', () => {
    expect(sweep(new Uint8Array(), BASE)).toEqual([]);
  });
});

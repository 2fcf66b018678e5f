import { describe, expect, it } from 'vitest';
import { FIELD, FIELDS, REG_STRIDE } from '../instruction.ts';
import { RBX } from '../register.ts';
import { bytesOf } from '../rig.ts';
import { fromHex, toHex } from '../word.ts';
import { decode } from './decode.ts';

/** Where an instruction at `address` leads, or its rip-relative operand lies. */
const ABSOLUTE: readonly (readonly [
  bytes: string,
  address: string,
  field: 'IMM' | 'DISP',
  result: string,
])[] = [
  ['e8fbffffff', '0xffffffff81000000', 'IMM', '0xffffffff81000000'],
  ['e800000000', '0x7ffffffc', 'IMM', '0x80000001'],
  ['eb7f', '0xffffffff', 'IMM', '0x100000080'],
  ['eb80', '0x100000000', 'IMM', '0xffffff82'],
  ['e900000080', '0x7fffffff', 'IMM', '0x4'],
  ['e9ffffff7f', '0xfffffffb', 'IMM', '0x17fffffff'],
  ['0f84f0ffffff', '0x0', 'IMM', '0xfffffffffffffff6'],
  ['e800000000', '0xfffffffffffffffd', 'IMM', '0x2'],
  ['488b05f9ffffff', '0x100000000', 'DISP', '0x100000000'],
  ['488b05f8ffffff', '0x100000000', 'DISP', '0xffffffff'],
  ['488b0500000000', '0xfffffffa', 'DISP', '0x100000001'],
  ['48c70508000000aabbccdd', '0xffffffffc0000000', 'DISP', '0xffffffffc0000013'],
];

describe('relative operands become absolute', () => {
  it.each(ABSOLUTE)('%s at %s: %s is %s', (hex, address, field, result) => {
    const row = new Int32Array(FIELDS);
    const { hi, lo } = fromHex(address);
    expect(decode(bytesOf(hex), 0, row, 0, hi, lo)).toBe(hex.length / 2);
    expect(toHex({ hi: row[FIELD[`${field}_HI`]]!, lo: row[FIELD[`${field}_LO`]]! })).toBe(result);
  });
});

describe('rows', () => {
  it('an instruction is read in the middle of bytes and written in the middle of rows', () => {
    const rows = new Int32Array(3 * FIELDS).fill(-1);
    expect(decode(bytesOf('90904889d890'), 2, rows, FIELDS, 0, 0)).toBe(3);
    expect(rows[FIELDS + FIELD.B]).toBe(RBX * REG_STRIDE);
    expect(new Set(rows.subarray(0, FIELDS))).toEqual(new Set([-1]));
    expect(new Set(rows.subarray(2 * FIELDS))).toEqual(new Set([-1]));
  });

  it('nothing of the instruction before is left in a row', () => {
    const row = new Int32Array(FIELDS);
    const fresh = new Int32Array(FIELDS);
    decode(bytesOf('65488b84f178563412'), 0, row, 0, 0, 0);
    decode(bytesOf('c3'), 0, row, 0, 0, 0);
    decode(bytesOf('c3'), 0, fresh, 0, 0, 0);
    expect(row).toEqual(fresh);
  });
});

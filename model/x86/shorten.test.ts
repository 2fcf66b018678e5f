import { describe, expect, it } from 'vitest';
import { decode } from './decode/decode.ts';
import { FIELDS, REG_STRIDE } from './instruction.ts';
import { R8, R9, R12, R15, RAX, RBP, RBX, RCX, RDI, RSP } from './register.ts';
import { bytesOf, textOf } from './rig.ts';
import { OP } from './row.ts';
import { shortFromFields } from './short-form.ts';
import { shortFromBytes } from './shorten.ts';
import { fromHex } from './word.ts';

/** The address of an instruction; a call after it stores where it returns to. */
const AT = fromHex('0xffffffffc0000100');

/** A row as both ways write it: the operation, and what it uses of A, B, X and Y. */
type Short = readonly [op: keyof typeof OP, ...numbers: (number | undefined)[]];

const r = (reg: number) => reg * REG_STRIDE;
const _ = undefined;
const ABSENT = 16 * REG_STRIDE;

/** The content of a row: `B` of a store to `disp(base)` is the base. */
const SHORT: readonly (readonly [asm: string, bytes: string, short: Short])[] = [
  ['mov %rcx,%rax', '4889c8', ['MOV_RR', r(RAX), r(RCX)]],
  ['mov %rcx,%rax', '488bc1', ['MOV_RR', r(RAX), r(RCX)]],
  ['mov %r8,%r15', '4d89c7', ['MOV_RR', r(R15), r(R8)]],
  ['mov 0x8(%rdi),%rax', '488b4708', ['LOAD', r(RAX), r(RDI), 8]],
  ['mov -0x200(%rbp),%r9', '4c8b8d00feffff', ['LOAD', r(R9), r(RBP), -0x200]],
  ['mov 0x8(%rsp),%rbx', '488b5c2408', ['LOAD', r(RBX), r(RSP), 8]],
  ['mov %rax,-0x8(%rbp)', '488945f8', ['STORE', r(RAX), r(RBP), -8]],
  ['mov %r9,0x100(%rsp)', '4c898c2400010000', ['STORE', r(R9), r(RSP), 0x100]],
  ['movq $0xfffffffffffffffe,-0x8(%rbp)', '48c745f8feffffff', ['STORE_I', _, r(RBP), -8, -2]],
  ['movq $0x11,0x200(%r9)', '49c7810002000011000000', ['STORE_I', _, r(R9), 0x200, 0x11]],
  ['lea 0x10(%rdi),%rax', '488d4710', ['LEA', r(RAX), r(RDI), 0x10]],
  ['mov $0x80000001,%eax', 'b801000080', ['MOV_RI', r(RAX), _, -0x7fffffff, 0]],
  ['mov $0x1,%r9d', '41b901000000', ['MOV_RI', r(R9), _, 1, 0]],
  ['movabs $0x1122334455667788,%rax', '48b88877665544332211', ['MOV_RI', r(RAX), _, 0x55667788, 0x11223344]],
  ['push %rbp', '55', ['PUSH', r(RBP)]],
  ['push %r12', '4154', ['PUSH', r(R12)]],
  ['pop %rsp', '5c', ['POP', r(RSP)]],
  ['sub $0x18,%rsp', '4883ec18', ['ADJUST', _, _, -0x18, 0x18]],
  ['add $0xffffffffffffff80,%rsp', '4883c480', ['ADJUST', _, _, -0x80, -0x80]],
  ['sub $0x200,%rsp', '4881ec00020000', ['ADJUST', _, _, -0x200, 0x200]],
  ['test %rax,%rax', '4885c0', ['TEST_SELF', r(RAX)]],
  ['xor %ecx,%ecx', '31c9', ['ZERO', r(RCX)]],
  ['call 0xffffffffc0000110', 'e80b000000', ['CALL', _, _, AT.lo + 5, AT.hi]],
  ['jmp 0xffffffffc0000110', 'e90b000000', ['JUMP']],
  ['je 0xffffffffc0000110', '740e', ['JZ', 4]],
  ['jne 0xffffffffc0000110', '750e', ['JZ', 5]],
  ['ret', 'c3', ['RETURN']],
  ['leave', 'c9', ['LEAVE']],
  ['nopl (%rax,%rax)', '0f1f440000', ['NOP']],
];

/** Short forms of encodings that only the full decoder reads. */
const FROM_FIELDS: readonly (readonly [asm: string, bytes: string, short: Short])[] = [
  ['mov (%rdi),%rax', '488b07', ['LOAD', r(RAX), r(RDI), 0]],
  ['mov 0x8(%r12),%rax', '498b442408', ['LOAD', r(RAX), r(R12), 8]],
  ['mov 0xffffffffc0000107,%rax', '488b0500000000', ['LOAD', r(RAX), ABSENT, AT.lo + 7]],
  ['mov $0xfffffffffffffffe,%rax', '48c7c0feffffff', ['MOV_RI', r(RAX), _, -2, -1]],
  ['mov $0xfffffffe,%eax', 'c7c0feffffff', ['MOV_RI', r(RAX), _, -2, 0]],
  ['lea 0xffffffffc0000107,%rax', '488d0500000000', ['LEA', r(RAX), ABSENT, AT.lo + 7]],
  ['xor %r8d,%r8d', '4531c0', ['ZERO', r(R8)]],
  ['xor %rax,%rax', '4831c0', ['ZERO', r(RAX)]],
  ['xor %eax,%eax', '33c0', ['ZERO', r(RAX)]],
  ['test %r9,%r9', '4d85c9', ['TEST_SELF', r(R9)]],
  ['je 0xffffffffc0000110', '0f840a000000', ['JZ', 4]],
  ['jmp 0xffffffffc0000110', 'eb0e', ['JUMP']],
  ['rep ret', 'f3c3', ['RETURN']],
  ['nop', '90', ['NOP']],
  ['endbr64', 'f30f1efa', ['NOP']],
];

/** Close to a short form, but not the same. */
const GENERIC: readonly (readonly [asm: string, bytes: string])[] = [
  ['mov %ecx,%eax', '89c8'],
  ['mov 0x8(%rdi),%eax', '8b4708'],
  ['mov 0x8(%rdi,%rcx),%rax', '488b440f08'],
  ['mov %gs:0x8(%rdi),%rax', '65488b4708'],
  ['movl $0x1,(%rdi)', 'c70701000000'],
  ['lea (%rdi,%rdi),%rax', '488d043f'],
  ['lea 0x8(%rdi),%eax', '8d4708'],
  ['mov $0x1,%ax', '66b80100'],
  ['test %rcx,%rax', '4885c8'],
  ['test %eax,%eax', '85c0'],
  ['xor %ecx,%eax', '31c8'],
  ['xor %ax,%ax', '6631c0'],
  ['add $0x0,%rsp', '4883c400'],
  ['sub $0xffffffff80000000,%rsp', '4881ec00000080'],
  ['add $0x8,%esp', '83c408'],
  ['add $0x8,%rax', '4883c008'],
  ['and $0xfffffffffffffff0,%rsp', '4883e4f0'],
  ['call *%rax', 'ffd0'],
  ['jmpq *0x8(%rdi)', 'ff6708'],
  ['ret $0x8', 'c20800'],
  ['push $0x1', '6a01'],
  ['pushq (%rdi)', 'ff37'],
  ['popq (%rdi)', '8f07'],
  ['js 0xffffffffc0000110', '780e'],
  ['ja 0xffffffffc0000110', '0f870a000000'],
  ['int3', 'cc'],
  ['cltq', '4898'],
  ['pushf', '9c'],
];

function fromBytes(hex: string): { row: Int32Array; length: number } {
  const row = new Int32Array(8).fill(-1);
  return { length: shortFromBytes(bytesOf(hex), 0, row, 0, AT.lo, AT.hi), row };
}

function fromFields(hex: string): Int32Array {
  const row = new Int32Array(8).fill(-1);
  const fields = new Int32Array(FIELDS);
  const length = decode(bytesOf(hex), 0, fields, 0, AT.hi, AT.lo);
  shortFromFields(fields, 0, row, 0, AT.lo + length, AT.hi);
  return row;
}

/** What a row has in the places that its short form names. */
function shown(row: Int32Array, [, ...numbers]: Short): unknown[] {
  const names = Object.keys(OP);
  const [a, b, x, y] = row.slice(2);
  return [
    names[row[0]!],
    ...numbers.map((number, i) => (number === undefined ? undefined : [a, b, x, y][i])),
  ];
}

describe('short forms read from the bytes', () => {
  it.each(SHORT)('%s', (asm, hex, short) => {
    const { row, length } = fromBytes(hex);
    expect(textOf(bytesOf(hex))).toBe(asm);
    expect(length).toBe(hex.length / 2);
    expect(shown(row, short)).toEqual([...short]);
  });
});

describe('short forms of decoded instructions', () => {
  it.each([...SHORT, ...FROM_FIELDS])('%s', (asm, hex, short) => {
    expect(textOf(bytesOf(hex))).toBe(asm);
    expect(shown(fromFields(hex), short)).toEqual([...short]);
  });

  it.each(FROM_FIELDS)('%s has to be decoded in full', (_, hex) => {
    expect(fromBytes(hex).length).toBe(0);
  });

  it('every short form but those for stores that are noted and breakpoints is among them', () => {
    const seen = new Set([...SHORT, ...FROM_FIELDS].map(([, , [op]]) => op));
    const missing = Object.keys(OP).filter((op) => !seen.has(op as keyof typeof OP));
    expect(missing).toEqual(['GENERIC', 'STORE_NOTED', 'BREAK']);
  });
});

describe('no short form', () => {
  it.each(GENERIC)('%s', (asm, hex) => {
    expect(textOf(bytesOf(hex))).toBe(asm);
    expect(fromBytes(hex).length).toBe(0);
    expect(fromFields(hex)[0]).toBe(OP.GENERIC);
  });
});

import { Decoder, DecoderOptions, Instruction } from 'iced-x86';
import { describe, expect, it } from 'vitest';
import { Assembler } from './assemble.ts';
import { decode } from './decode/decode.ts';
import { icedReading, ourReading } from './decode/readings.ts';
import { FIELDS } from './instruction.ts';
import { hexBytes } from './listing.ts';
import type { Reg, Width } from './register.ts';
import { R8, R9, R12, R13, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP, registerName } from './register.ts';
import { START, textOf } from './rig.ts';
import { fromBigInt, fromHex } from './word.ts';

const BASE = fromBigInt(START);

function assembled(write: (a: Assembler) => void): Uint8Array {
  const a = new Assembler(BASE, () => undefined);
  write(a);
  return a.finish().bytes;
}

/** Every method once, and each again where its encoding changes. */
const METHODS: readonly (readonly [asm: string, bytes: string, write: (a: Assembler) => void])[] = [
  ['push %rax', '50', (a) => a.push(RAX)],
  ['push %r12', '41 54', (a) => a.push(R12)],
  ['pop %rbp', '5d', (a) => a.pop(RBP)],
  ['mov %rsp,%rbp', '48 89 e5', (a) => a.mov(RBP, RSP)],
  ['mov %r8,%rdi', '4c 89 c7', (a) => a.mov(RDI, R8)],
  ['mov 0x7f(%rdi),%rax', '48 8b 47 7f', (a) => a.load(RAX, RDI, 127)],
  ['mov 0x80(%rdi),%rax', '48 8b 87 80 00 00 00', (a) => a.load(RAX, RDI, 128)],
  ['mov -0x80(%rbp),%rbx', '48 8b 5d 80', (a) => a.load(RBX, RBP, -128)],
  ['mov -0x81(%rbp),%rbx', '48 8b 9d 7f ff ff ff', (a) => a.load(RBX, RBP, -129)],
  ['mov (%rdi),%rax', '48 8b 47 00', (a) => a.load(RAX, RDI, 0)],
  ['mov (%r13),%rax', '49 8b 45 00', (a) => a.load(RAX, R13, 0)],
  ['mov 0x8(%rsp),%rax', '48 8b 44 24 08', (a) => a.load(RAX, RSP, 8)],
  ['mov 0x20(%rdx,%rax,8),%rax', '48 8b 44 c2 20', (a) => a.loadIndexed(RAX, RDX, RAX, 32)],
  ['mov -0x4(%rdi),%eax', '8b 47 fc', (a) => a.loadHalf(RAX, RDI, -4)],
  ['movzbl 0x52(%r12),%eax', '41 0f b6 44 24 52', (a) => a.loadByte(RAX, R12, 0x52)],
  ['cmp %rdi,0x20(%rax)', '48 39 78 20', (a) => a.compareMemory(RAX, 32, RDI)],
  ['sub 0x18(%rdx),%ecx', '2b 4a 18', (a) => a.subtractLoaded(RCX, RDX, 24)],
  ['shr %cl,%rax', '48 d3 e8', (a) => a.shiftRightByCl(RAX)],
  ['mov %gs:0xffffffffc0000108,%rcx', '65 48 8b 0d 00 00 00 00', (a) => a.loadGs(RCX, 'current_task')],
  ['mov %rdi,-0x8(%rbp)', '48 89 7d f8', (a) => a.store(RBP, -8, RDI)],
  ['mov %r9,0x1000(%r12)', '4d 89 8c 24 00 10 00 00', (a) => a.store(R12, 0x1000, R9)],
  ['lea -0x18(%rbp),%rsi', '48 8d 75 e8', (a) => a.lea(RSI, RBP, -0x18)],
  ['lea 0x400(%rbp),%rsi', '48 8d b5 00 04 00 00', (a) => a.lea(RSI, RBP, 0x400)],
  ['movq $0x5,-0x8(%rbp)', '48 c7 45 f8 05 00 00 00', (a) => a.storeImmediate(RBP, -8, 5)],
  [
    'movq $0xffffffffffffffff,0x80(%rbp)',
    '48 c7 85 80 00 00 00 ff ff ff ff',
    (a) => a.storeImmediate(RBP, 128, -1),
  ],
  ['movl $0x5,-0x8(%rbp)', 'c7 45 f8 05 00 00 00', (a) => a.storeImmediate32(RBP, -8, 5)],
  ['cmpq $0x0,-0x8(%rbp)', '48 83 7d f8 00', (a) => a.compareImmediate(RBP, -8, 0)],
  ['cmpq $0xffffffffffffffff,0x80(%rbp)', '48 83 bd 80 00 00 00 ff', (a) => a.compareImmediate(RBP, 128, -1)],
  ['xor %esi,%esi', '31 f6', (a) => a.zero(RSI)],
  ['add $0x7f,%rsp', '48 83 c4 7f', (a) => a.add(RSP, 127)],
  ['add $0x80,%rsp', '48 81 c4 80 00 00 00', (a) => a.add(RSP, 128)],
  ['add $0xffffffffffffff80,%rsp', '48 83 c4 80', (a) => a.add(RSP, -128)],
  ['sub $0x18,%rsp', '48 83 ec 18', (a) => a.sub(RSP, 0x18)],
  ['sub $0x100,%rsp', '48 81 ec 00 01 00 00', (a) => a.sub(RSP, 0x100)],
  ['test %rax,%rax', '48 85 c0', (a) => a.test(RAX)],
  ['xor %rcx,%rax', '48 31 c8', (a) => a.xorRegister(RAX, RCX)],
  ['add %rcx,%rax', '48 01 c8', (a) => a.addRegister(RAX, RCX)],
  ['imul %rcx,%rax', '48 0f af c1', (a) => a.multiply(RAX, RCX)],
  ['not %rax', '48 f7 d0', (a) => a.not(RAX)],
  ['and $0xfffffffffffffff0,%rsp', '48 83 e4 f0', (a) => a.and(RSP, -16)],
  ['cmp $0x3,%rax', '48 83 f8 03', (a) => a.compare(RAX, 3)],
  ['rol $0x7,%rax', '48 c1 c0 07', (a) => a.rotateLeft(RAX, 7)],
  ['movzbl %dil,%eax', '40 0f b6 c7', (a) => a.extend(RAX, RDI, 1, false)],
  ['movzwl %di,%eax', '0f b7 c7', (a) => a.extend(RAX, RDI, 2, false)],
  ['mov %edi,%eax', '8b c7', (a) => a.extend(RAX, RDI, 4, false)],
  ['movsbq %dil,%rax', '48 0f be c7', (a) => a.extend(RAX, RDI, 1, true)],
  ['movswq %di,%rax', '48 0f bf c7', (a) => a.extend(RAX, RDI, 2, true)],
  ['movslq %edi,%rax', '48 63 c7', (a) => a.extend(RAX, RDI, 4, true)],
  ['call *%rax', 'ff d0', (a) => a.callRegister(RAX)],
  ['call *%r15', '41 ff d7', (a) => a.callRegister(R15)],
  ['ret', 'c3', (a) => a.ret()],
  ['leave', 'c9', (a) => a.leave()],
  ['pushf', '9c', (a) => a.pushFlags()],
  ['popf', '9d', (a) => a.popFlags()],
  ['int3', 'cc', (a) => a.int3()],
  ['endbr64', 'f3 0f 1e fa', (a) => a.endbr64()],
];

describe('a method writes one instruction', () => {
  it.each(METHODS)('%s', (asm, bytes, write) => {
    expect(hexBytes(assembled(write))).toBe(bytes);
    expect(textOf(assembled(write))).toBe(asm);
  });
});

/** Text of each method for any registers, in our own names. */
const r = (reg: Reg, width: Width = 8) => `%${registerName(reg, width)}`;
const FOR_ANY: readonly (readonly [
  name: string,
  write: (a: Assembler, x: Reg, y: Reg) => void,
  text: (x: Reg, y: Reg) => string,
])[] = [
  ['push', (a, x) => a.push(x), (x) => `push ${r(x)}`],
  ['pop', (a, x) => a.pop(x), (x) => `pop ${r(x)}`],
  ['mov', (a, x, y) => a.mov(x, y), (x, y) => `mov ${r(y)},${r(x)}`],
  ['load', (a, x, y) => a.load(x, y, 8), (x, y) => `mov 0x8(${r(y)}),${r(x)}`],
  ['load far', (a, x, y) => a.load(x, y, -0x200), (x, y) => `mov -0x200(${r(y)}),${r(x)}`],
  ['store', (a, x, y) => a.store(x, 8, y), (x, y) => `mov ${r(y)},0x8(${r(x)})`],
  ['store far', (a, x, y) => a.store(x, 0x200, y), (x, y) => `mov ${r(y)},0x200(${r(x)})`],
  ['lea', (a, x, y) => a.lea(x, y, 8), (x, y) => `lea 0x8(${r(y)}),${r(x)}`],
  ['storeImmediate', (a, x) => a.storeImmediate(x, 8, 1), (x) => `movq $0x1,0x8(${r(x)})`],
  ['storeImmediate32', (a, x) => a.storeImmediate32(x, 0x200, 1), (x) => `movl $0x1,0x200(${r(x)})`],
  ['compareImmediate', (a, x) => a.compareImmediate(x, 8, 1), (x) => `cmpq $0x1,0x8(${r(x)})`],
  ['zero', (a, x) => a.zero(x), (x) => `xor ${r(x, 4)},${r(x, 4)}`],
  ['add', (a, x) => a.add(x, 8), (x) => `add $0x8,${r(x)}`],
  ['add far', (a, x) => a.add(x, 0x200), (x) => `add $0x200,${r(x)}`],
  ['sub', (a, x) => a.sub(x, 8), (x) => `sub $0x8,${r(x)}`],
  ['test', (a, x) => a.test(x), (x) => `test ${r(x)},${r(x)}`],
  ['xorRegister', (a, x, y) => a.xorRegister(x, y), (x, y) => `xor ${r(y)},${r(x)}`],
  ['addRegister', (a, x, y) => a.addRegister(x, y), (x, y) => `add ${r(y)},${r(x)}`],
  ['multiply', (a, x, y) => a.multiply(x, y), (x, y) => `imul ${r(y)},${r(x)}`],
  ['not', (a, x) => a.not(x), (x) => `not ${r(x)}`],
  ['and', (a, x) => a.and(x, 8), (x) => `and $0x8,${r(x)}`],
  ['compare', (a, x) => a.compare(x, 8), (x) => `cmp $0x8,${r(x)}`],
  ['rotateLeft', (a, x) => a.rotateLeft(x, 8), (x) => `rol $0x8,${r(x)}`],
  ['extend', (a, x, y) => a.extend(x, y, 1, false), (x, y) => `movzbl ${r(y, 1)},${r(x, 4)}`],
  ['extend, signed', (a, x, y) => a.extend(x, y, 2, true), (x, y) => `movswq ${r(y, 2)},${r(x)}`],
  ['callRegister', (a, x) => a.callRegister(x), (x) => `call *${r(x)}`],
  [
    'loadConstant',
    (a, x) => a.loadConstant(x, fromHex('0x80000000'), true),
    (x) => `mov $0x80000000,${r(x, 4)}`,
  ],
];

const REGISTERS: readonly Reg[] = Array.from({ length: 16 }, (_, reg) => reg);

describe('for all registers', () => {
  it.each(FOR_ANY)('%s', (_, write, text) => {
    const pairs = REGISTERS.flatMap((x) => REGISTERS.map((y) => [x, y] as const));
    const bytes = assembled((a) => {
      for (const [x, y] of pairs) write(a, x, y);
    });
    expect(textOf(bytes)).toBe(pairs.map(([x, y]) => text(x, y)).join('; '));
    expect(differences(bytes)).toEqual([]);
  });
});

/** Where our decoder reads something else than iced in a straight line of code. */
function differences(bytes: Uint8Array): string[] {
  const row = new Int32Array(FIELDS);
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  const instruction = new Instruction();
  const found: string[] = [];
  while (decoder.canDecode) {
    const offset = decoder.position;
    decoder.ip = BigInt(offset);
    decoder.decodeOut(instruction);
    const length = decode(bytes, offset, row, 0, 0, offset);
    if (length === 0 || ourReading(row) !== icedReading(instruction)) found.push(icedReading(instruction));
  }
  instruction.free();
  decoder.free();
  return found;
}

describe('a constant takes the shortest encoding', () => {
  it.each([
    ['0x0', true, 'xor %ecx,%ecx'],
    ['0x1', true, 'mov $0x1,%ecx'],
    ['0x7fffffff', true, 'mov $0x7fffffff,%ecx'],
    ['0x80000000', true, 'mov $0x80000000,%ecx'],
    ['0xffffffff', true, 'mov $0xffffffff,%ecx'],
    ['0x100000000', true, 'movabs $0x100000000,%rcx'],
    ['0xffffffff7fffffff', true, 'movabs $0xffffffff7fffffff,%rcx'],
    ['0xffffffff80000000', true, 'mov $0xffffffff80000000,%rcx'],
    ['0xffffffffffffffff', true, 'mov $0xffffffffffffffff,%rcx'],
    ['0xffffffff80000000', false, 'movabs $0xffffffff80000000,%rcx'],
    ['0xffffffff', false, 'mov $0xffffffff,%ecx'],
    ['0x8000000000000000', true, 'movabs $0x8000000000000000,%rcx'],
  ])('%s, sign-extended if it helps: %s', (value, signExtended, asm) => {
    expect(textOf(assembled((a) => a.loadConstant(RCX, fromHex(value), signExtended)))).toBe(asm);
  });
});

import { Decoder, DecoderOptions, Instruction } from 'iced-x86';
import { Assembler } from '../../../model/x86/assemble.ts';
import { OutOfRange } from '../../../model/x86/assembled.ts';
import { icedReading } from '../../../model/x86/decode/readings.ts';
import { fromBigInt } from '../../../model/x86/word.ts';

/*
 * What the assembler writes, as iced-x86 reads it, against the calls that wrote it, which are spelt here a second time. Long
 * on purpose: one table.
 */

type Write = (a: Assembler) => void;

/** Where a sum of low halves carries. */
const BASE = 0xffff_ffff_7fff_ff00n;
const SYMBOLS: Readonly<Record<string, bigint>> = {
  before: BASE - 0x7000_0000n,
  after: BASE + 0x7000_0000n,
  near: BASE + 3n,
  low: 0x1234n,
  unsigned: 0xfedc_ba98n,
  signed: 0xffff_ffff_8123_4567n,
  whole: 0x1234_5678_9abc_def0n,
};

function resolve(symbol: string) {
  const address = SYMBOLS[symbol];
  return address === undefined ? undefined : fromBigInt(address);
}

/** Reads code instruction by instruction. */
function readings(bytes: Uint8Array): string[] {
  const decoder = new Decoder(64, bytes, DecoderOptions.None);
  decoder.ip = BASE;
  const instruction = new Instruction();
  const found: string[] = [];
  while (decoder.canDecode) {
    decoder.decodeOut(instruction);
    found.push(instruction.isInvalid ? 'invalid' : icedReading(instruction));
  }
  instruction.free();
  decoder.free();
  return found;
}

function compared(all: readonly (readonly [Write, string])[]): string | undefined {
  const a = new Assembler(fromBigInt(BASE), resolve);
  for (const [write] of all) write(a);
  const { bytes } = a.finish();
  const found = readings(bytes);
  if (found.length !== all.length) return `${found.length} instructions, not ${all.length}`;
  const i = all.findIndex(([, text], n) => found[n] !== text);
  return i < 0 ? undefined : `${found[i]}, not ${all[i]?.[1]}`;
}

const NAMES = 'rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15'.split(' ');
const NAMES4 = 'eax ecx edx ebx esp ebp esi edi r8d r9d r10d r11d r12d r13d r14d r15d'.split(' ');
const NAMES2 = 'ax cx dx bx sp bp si di r8w r9w r10w r11w r12w r13w r14w r15w'.split(' ');
const NAMES1 = 'al cl dl bl spl bpl sil dil r8b r9b r10b r11b r12b r13b r14b r15b'.split(' ');
const REGISTERS = NAMES.map((_, i) => i);
const DISPLACEMENTS = [0, 8, -8, 127, 128, -128, -129, 0x12345678, -0x12345678];
const IMMEDIATES = [0, 1, -1, 127, 128, -128, -129, 0x7fffffff, -0x80000000];

const name = (register: number, bytes = 8): string =>
  ({ 1: NAMES1, 2: NAMES2, 4: NAMES4, 8: NAMES })[bytes]?.[register] ?? '?';
const hex = (value: number | bigint, bytes = 8): string =>
  `0x${BigInt.asUintN(8 * bytes, BigInt(value)).toString(16)}`;
const isByte = (value: number): boolean => value === (value << 24) >> 24;
const inMemoryAt = (base: number, disp: number, bytes: number): string =>
  `${bytes}@[${name(base)}+${hex(disp)}]`;
/** ModRM and displacement, with the SIB byte that rsp and r12 need. */
const placeBytes = (base: number, disp: number): number =>
  1 + (base % 8 === 4 ? 1 : 0) + (isByte(disp) ? 1 : 4);
const rexFor = (...registers: number[]): number => (registers.some((register) => register >= 8) ? 1 : 0);
/** A byte register from spl on needs a REX prefix to be named. */
const rexForByte = (register: number): number => (register >= 4 ? 1 : 0);

const pairs = REGISTERS.flatMap((x) => REGISTERS.map((y) => [x, y] as const));
const places = pairs.flatMap(([x, y]) => DISPLACEMENTS.map((disp) => [x, y, disp] as const));
const ofBase = REGISTERS.flatMap((x) => DISPLACEMENTS.map((disp) => [x, disp] as const));
const ofImmediate = REGISTERS.flatMap((x) => IMMEDIATES.map((value) => [x, value] as const));
const ofByte = REGISTERS.flatMap((x) => [0, 1, 7, -1, -16, 127, -128].map((value) => [x, value] as const));

type Rows = readonly (readonly [Write, string])[];

const ofEach = (row: (x: number) => readonly [Write, string]): Rows => REGISTERS.map(row);
const two = (row: (x: number, y: number) => readonly [Write, string]): Rows =>
  pairs.map(([x, y]) => row(x, y));
const inMemory = (row: (x: number, y: number, disp: number) => readonly [Write, string]): Rows =>
  places.map(([x, y, disp]) => row(x, y, disp));

const METHODS: Readonly<Record<string, () => Rows>> = {
  push: () => ofEach((x) => [(a) => a.push(x), `${1 + rexFor(x)} push ${name(x)}`]),
  pop: () => ofEach((x) => [(a) => a.pop(x), `${1 + rexFor(x)} pop ${name(x)}`]),
  callRegister: () => ofEach((x) => [(a) => a.callRegister(x), `${2 + rexFor(x)} call ${name(x)}`]),
  mov: () => two((x, y) => [(a) => a.mov(x, y), `3 mov ${name(x)} ${name(y)}`]),
  movLow: () => two((x, y) => [(a) => a.movLow(x, y), `${2 + rexFor(x, y)} mov ${name(x, 4)} ${name(y, 4)}`]),
  load: () =>
    inMemory((x, y, d) => [
      (a) => a.load(x, y, d),
      `${2 + placeBytes(y, d)} mov ${name(x)} ${inMemoryAt(y, d, 8)}`,
    ]),
  store: () =>
    inMemory((x, y, d) => [
      (a) => a.store(y, d, x),
      `${2 + placeBytes(y, d)} mov ${inMemoryAt(y, d, 8)} ${name(x)}`,
    ]),
  lea: () =>
    inMemory((x, y, d) => [
      (a) => a.lea(x, y, d),
      `${2 + placeBytes(y, d)} lea ${name(x)} ${inMemoryAt(y, d, 0)}`,
    ]),
  compareMemory: () =>
    inMemory((x, y, d) => [
      (a) => a.compareMemory(y, d, x),
      `${2 + placeBytes(y, d)} cmp ${inMemoryAt(y, d, 8)} ${name(x)}`,
    ]),
  loadHalf: () =>
    inMemory((x, y, d) => [
      (a) => a.loadHalf(x, y, d),
      `${1 + rexFor(x, y) + placeBytes(y, d)} mov ${name(x, 4)} ${inMemoryAt(y, d, 4)}`,
    ]),
  loadShort: () =>
    inMemory((x, y, d) => [
      (a) => a.loadShort(x, y, d),
      `${2 + rexFor(x, y) + placeBytes(y, d)} movzx ${name(x, 4)} ${inMemoryAt(y, d, 2)}`,
    ]),
  loadByte: () =>
    inMemory((x, y, d) => [
      (a) => a.loadByte(x, y, d),
      `${2 + rexFor(x, y) + placeBytes(y, d)} movzx ${name(x, 4)} ${inMemoryAt(y, d, 1)}`,
    ]),
  subtractLoaded: () =>
    inMemory((x, y, d) => [
      (a) => a.subtractLoaded(x, y, d),
      `${1 + rexFor(x, y) + placeBytes(y, d)} sub ${name(x, 4)} ${inMemoryAt(y, d, 4)}`,
    ]),
  loadIndexed: () =>
    pairs.flatMap(([x, y]) =>
      REGISTERS.filter((index) => index !== 4).map((index): readonly [Write, string] => [
        (a) => a.loadIndexed(x, y, index, -16),
        `5 mov ${name(x)} 8@[${name(y)}+${name(index)}*8+${hex(-16)}]`,
      ]),
    ),
  storeImmediate: () =>
    ofBase.map(([x, d], i) => {
      const value = IMMEDIATES[i % IMMEDIATES.length] ?? 0;
      return [
        (a) => a.storeImmediate(x, d, value),
        `${6 + placeBytes(x, d)} mov ${inMemoryAt(x, d, 8)} ${hex(value)}`,
      ];
    }),
  storeImmediate32: () =>
    ofBase.map(([x, d], i) => {
      const value = IMMEDIATES[i % IMMEDIATES.length] ?? 0;
      const bytes = 5 + rexFor(x) + placeBytes(x, d);
      return [(a) => a.storeImmediate32(x, d, value), `${bytes} mov ${inMemoryAt(x, d, 4)} ${hex(value, 4)}`];
    }),
  compareImmediate: () =>
    ofBase.map(([x, d]) => [
      (a) => a.compareImmediate(x, d, -3),
      `${3 + placeBytes(x, d)} cmp ${inMemoryAt(x, d, 8)} ${hex(-3)}`,
    ]),
  zero: () => ofEach((x) => [(a) => a.zero(x), `${2 + rexFor(x)} xor ${name(x, 4)} ${name(x, 4)}`]),
  add: () => ofImmediate.map(([x, v]) => [(a) => a.add(x, v), sum('add', x, v)]),
  sub: () => ofImmediate.map(([x, v]) => [(a) => a.sub(x, v), sum('sub', x, v)]),
  test: () => ofEach((x) => [(a) => a.test(x), `3 test ${name(x)} ${name(x)}`]),
  xorRegister: () => two((x, y) => [(a) => a.xorRegister(x, y), `3 xor ${name(x)} ${name(y)}`]),
  addRegister: () => two((x, y) => [(a) => a.addRegister(x, y), `3 add ${name(x)} ${name(y)}`]),
  multiply: () => two((x, y) => [(a) => a.multiply(x, y), `4 imul ${name(x)} ${name(y)}`]),
  not: () => ofEach((x) => [(a) => a.not(x), `3 not ${name(x)}`]),
  and: () => ofByte.map(([x, v]) => [(a) => a.and(x, v), `4 and ${name(x)} ${hex(v)}`]),
  compare: () => ofByte.map(([x, v]) => [(a) => a.compare(x, v), `4 cmp ${name(x)} ${hex(v)}`]),
  rotateLeft: () => ofByte.map(([x, v]) => [(a) => a.rotateLeft(x, v), `4 rol ${name(x)} ${hex(v, 1)}`]),
  shiftRightByCl: () => ofEach((x) => [(a) => a.shiftRightByCl(x), `3 shr ${name(x)} cl`]),
  'zero extension': () =>
    two((x, y) => [
      (a) => a.extend(x, y, 1, false),
      `${3 + (rexFor(x) | rexForByte(y))} movzx ${name(x, 4)} ${name(y, 1)}`,
    ]),
  'zero extension of two bytes': () =>
    two((x, y) => [(a) => a.extend(x, y, 2, false), `${3 + rexFor(x, y)} movzx ${name(x, 4)} ${name(y, 2)}`]),
  'zero extension of four bytes': () =>
    two((x, y) => [(a) => a.extend(x, y, 4, false), `${2 + rexFor(x, y)} mov ${name(x, 4)} ${name(y, 4)}`]),
  'sign extension': () => two((x, y) => [(a) => a.extend(x, y, 1, true), `4 movsx ${name(x)} ${name(y, 1)}`]),
  'sign extension of two bytes': () =>
    two((x, y) => [(a) => a.extend(x, y, 2, true), `4 movsx ${name(x)} ${name(y, 2)}`]),
  'sign extension of four bytes': () =>
    two((x, y) => [(a) => a.extend(x, y, 4, true), `3 movsx ${name(x)} ${name(y, 4)}`]),
  loadConstant: () =>
    REGISTERS.flatMap((x) =>
      CONSTANTS.flatMap((value) =>
        [false, true].map((signs): readonly [Write, string] => [
          (a) => a.loadConstant(x, fromBigInt(value), signs),
          constantText(x, value, signs),
        ]),
      ),
    ),
  loadAddress: () =>
    REGISTERS.flatMap((x) =>
      ['low', 'unsigned', 'signed', 'whole', 'unknown'].flatMap((symbol) =>
        [false, true].map((signs): readonly [Write, string] => {
          const value = SYMBOLS[symbol];
          return [
            (a) => a.loadAddress(x, symbol, signs),
            value === undefined ? `10 mov ${name(x)} 0x0` : constantText(x, value, signs),
          ];
        }),
      ),
    ),
  'without operand': () => [
    [(a) => a.ret(), '1 ret'],
    [(a) => a.leave(), '1 leave'],
    [(a) => a.pushFlags(), '1 pushfq'],
    [(a) => a.popFlags(), '1 popfq'],
    [(a) => a.int3(), '1 int3'],
    [(a) => a.endbr64(), '4 nop'],
  ],
  'relative to rip': () =>
    ['before', 'after', 'near'].flatMap((symbol) => {
      const to = hex(SYMBOLS[symbol] ?? 0n);
      return REGISTERS.flatMap(
        (x): Rows => [
          [(a) => a.loadFrom(x, symbol), `7 mov ${name(x)} 8@[+${to}]`],
          [(a) => a.loadSymbol(x, symbol), `7 lea ${name(x)} 0@[+${to}]`],
          [(a) => a.loadGs(x, symbol), `8 mov ${name(x)} 8@gs:[+${to}]`],
          [(a) => a.shiftRightGs(symbol, x), `9 sar 8@gs:[+${to}] ${hex(x)}`],
        ],
      );
    }),
  'near branches': () =>
    ['before', 'after', 'near'].flatMap((symbol): Rows => {
      const to = hex(SYMBOLS[symbol] ?? 0n);
      return [
        [(a) => a.call(symbol), `5 call ${to}`],
        [(a) => a.jump(symbol), `5 jmp ${to}`],
        [(a) => a.jumpIfZeroNear(symbol), `6 je ${to}`],
        [(a) => a.jumpIfNonzeroNear(symbol), `6 jne ${to}`],
        [(a) => a.jumpIfAboveNear(symbol), `6 ja ${to}`],
      ];
    }),
};

const CONSTANTS = [
  0n,
  1n,
  0x7fff_ffffn,
  0x8000_0000n,
  0xffff_ffffn,
  0x1_0000_0000n,
  0xffff_ffff_7fff_ffffn,
  0xffff_ffff_8000_0000n,
  0xffff_ffff_ffff_ffffn,
  0x8000_0000_0000_0000n,
  0x1234_5678_9abc_def0n,
  0x1_0000_0001n,
  0xffff_fffe_ffff_ffffn,
];

function sum(mnemonic: string, x: number, value: number): string {
  return `${3 + (isByte(value) ? 1 : 4)} ${mnemonic} ${name(x)} ${hex(value)}`;
}

/** The shortest encoding, as the JIT chooses it. */
function constantText(x: number, value: bigint, signs: boolean): string {
  if (value === 0n) return `${2 + rexFor(x)} xor ${name(x, 4)} ${name(x, 4)}`;
  if (value < 1n << 32n) return `${5 + rexFor(x)} mov ${name(x, 4)} ${hex(value)}`;
  if (signs && BigInt.asUintN(64, BigInt.asIntN(32, value)) === value)
    return `7 mov ${name(x)} ${hex(value)}`;
  return `10 mov ${name(x)} ${hex(value)}`;
}

/** A jump over nops, forward and back, at the end of its reach and past it. */
function branches(): string | undefined {
  for (const between of [0, 1, 125, 126, 127, 128, 300])
    for (const forward of [true, false]) {
      const found = jumpOver(between, forward);
      if (found !== undefined) return found;
    }
  return undefined;
}

function jumpOver(between: number, forward: boolean): string | undefined {
  const write = (short: boolean): Uint8Array | 'too far' => {
    const a = new Assembler(fromBigInt(BASE), resolve);
    if (!forward) a.label('there');
    const nops = () => a.bytes(Array.from({ length: between }, () => 0x90));
    if (!forward) nops();
    if (short) a.jumpIfZeroShort('there');
    else a.jumpIfZeroNear('there');
    if (forward) nops();
    if (forward) a.label('there');
    a.ret();
    try {
      return a.finish().bytes;
    } catch (error) {
      if (error instanceof OutOfRange) return 'too far';
      throw error;
    }
  };
  for (const short of [true, false]) {
    const length = short ? 2 : 6;
    const reaches = !short || (forward ? between <= 127 : between + length <= 128);
    const target = BASE + BigInt(forward ? between + length : 0);
    const bytes = write(short);
    if (bytes === 'too far' || !reaches) {
      if (bytes === 'too far' && !reaches) continue;
      return `a jump over ${between} bytes`;
    }
    const text = readings(bytes)[forward ? 0 : between];
    if (text !== `${length} je ${hex(target)}`) return `${text}, not je ${hex(target)}`;
    if (bytes.length !== between + length + 1) return `${bytes.length} bytes`;
  }
  return undefined;
}

/** Nops up to a boundary: each of them one instruction, the longest first. */
function alignments(): string | undefined {
  for (const longest of [1, 5, 8, 9, 10, 11])
    for (let before = 0; before <= 20; before++) {
      const a = new Assembler(fromBigInt(BASE), resolve);
      a.bytes(Array.from({ length: before }, () => 0xc3));
      a.align(16, longest);
      if (a.offset % 16 !== 0 || a.offset - before > 15)
        return `${before} bytes are filled up to ${a.offset}`;
      const lengths = readings(a.finish().bytes).slice(before);
      const padding = (16 - (before % 16)) % 16;
      const whole = Array.from({ length: Math.floor(padding / longest) }, () => `${longest} nop`);
      const rest = padding % longest === 0 ? [] : [`${padding % longest} nop`];
      if (lengths.map(asNop).join() !== [...whole, ...rest].join()) return `${lengths}`;
    }
  return undefined;
}

/** 66 90 and its like exchange a register with itself. */
function asNop(text: string): string {
  return text.replace('xchg ax ax', 'nop');
}

/** Fields of symbols: a displacement or an address is where its relocation says. */
function relocations(): string | undefined {
  const a = new Assembler(fromBigInt(BASE), resolve);
  for (const symbol of ['before', 'after', 'near', 'unknown']) {
    a.call(symbol);
    a.loadFrom(9, symbol);
    a.shiftRightGs(symbol, 4);
  }
  for (const symbol of ['low', 'unsigned', 'signed', 'whole', 'unknown'])
    for (const signs of [true, false]) a.loadAddress(10, symbol, signs);
  const { bytes, relocations: found } = a.finish();
  if (found.length !== 22) return `${found.length} relocations`;
  for (const { offset, symbol, kind, size, end } of found) {
    const field = BigInt.asUintN(64, signed(bytes.subarray(offset, offset + size)));
    const address = SYMBOLS[symbol];
    const value = kind === 'relative' ? BigInt.asUintN(64, field + BASE + BigInt(end)) : field;
    if (end < offset + size || end > offset + size + 1) return `the field of ${symbol} ends at ${end}`;
    if (address === undefined ? field !== 0n : !isValue(value, address, size))
      return `${kind} ${symbol}: ${hex(value)}`;
  }
  return undefined;
}

function isValue(value: bigint, address: bigint, size: number): boolean {
  return BigInt.asUintN(8 * size, value) === BigInt.asUintN(8 * size, address);
}

function signed(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const [i, byte] of bytes.entries()) value |= BigInt(byte) << BigInt(8 * i);
  return BigInt.asIntN(8 * bytes.length, value);
}

/** Symbols just in reach and just out of it, in both directions. */
function reach(): string | undefined {
  const edges = [0x7fff_ffffn, 0x8000_0000n, -0x8000_0000n, -0x8000_0001n, 0x1_0000_0000n, 0x1_7fff_ffffn];
  for (const by of edges) {
    const a = new Assembler(fromBigInt(BASE), () => fromBigInt(BigInt.asUintN(64, BASE + 5n + by)));
    a.call('it');
    const reaches = by === BigInt.asIntN(32, by);
    try {
      const text = readings(a.finish().bytes)[0];
      if (!reaches || text !== `5 call ${hex(BASE + 5n + by)}`) return `${text}`;
    } catch (error) {
      if (!(error instanceof OutOfRange) || reaches) return `${error}`;
    }
  }
  return undefined;
}

/** By what is written: the first instruction that reads otherwise, or undefined. */
export const ASSEMBLIES: Readonly<Record<string, () => string | undefined>> = {
  ...Object.fromEntries(Object.entries(METHODS).map(([method, rows]) => [method, () => compared(rows())])),
  branches,
  alignments,
  relocations,
  reach,
};

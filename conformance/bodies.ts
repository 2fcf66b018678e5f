import type { Slot } from '../model/abi/x86-64.ts';
import { ARGUMENT_REGS } from '../model/trampoline/argument-registers.ts';
import type { Signature, Type } from '../model/trampoline/signature.ts';
import { abiSlots, parseSignature } from '../model/trampoline/signature.ts';
import { CELL, DATA } from '../model/trampoline/stage/layout.ts';
import { Assembler } from '../model/x86/assemble.ts';
import type { Assembled } from '../model/x86/assembled.ts';
import { CALLER_SAVED, R10, R11, R12, RAX, RBX, RCX, RDI, RDX, RSI, RSP } from '../model/x86/register.ts';
import type { Word } from '../model/x86/word.ts';
import { fromBigInt, fromHex, fromNumber } from '../model/x86/word.ts';

/**
 * The bodies of the recorder's traced functions, from their description in the recordings: each notes its
 * arguments, narrowed to their types, and returns a hash that tells positions apart. Three of them call others.
 *
 *   h = 0x1000 + id;  for each word i: h = (rotl64(h, 7) ^ v[i]) * 0x100000001b3 + i + 1
 */
export interface Body {
  readonly name: string;
  readonly id: number;
  readonly signature: Signature;
}

/** Header of the event that a body writes: this kind, its function's number above. */
export const BODY_EVENT = 9;
/** Header of the events of a live patch: its handler, and the replacement that runs instead of the body. */
export const FTRACE_EVENT = 10;
export const REPLACEMENT_EVENT = 11;

/** What the replacement of a live-patched function returns. */
const REPLACEMENT_RETURN = fromHex('0xaaaa000055550000');

/** The multiplier's inverse modulo 2 to the power of 64. */
const INVERSE = 0xce965057aff6957bn;
const MULTIPLIER = fromBigInt(0x100000001b3n);

/** Words of a body's event in front of its arguments: header, return address, count, hash. */
export const BODY_ARGUMENTS = 4;

/** The recorder's functions in the order of their numbers; `security_lab_` stands in front of each name. */
const NAMES = (
  'f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 b1 m3 m5 m8 m10 s1 s3 s5 s7 s8 s8b s24 s9 s12 v0 v3 v8 ' +
  'r8 r16 r32 rb rs16 i128 ca cb rec h1 h2 h3 h4 h5'
).split(' ');

/** The number of a function by its full name, or undefined when the recorder's list has no such function. */
export function bodyNumber(name: string): number | undefined {
  const id = NAMES.indexOf(name.replace(/^security_lab_/, ''));
  return id < 0 ? undefined : id;
}

/** The name of a function by its number, as events give it. */
export function bodyName(id: number): string | undefined {
  return NAMES[id];
}

/**
 * The number in the hash that a body returned for the given words, or undefined when it is not such a hash: the
 * hash can be run backwards, so that functions of another list can be read too.
 */
export function numberInHash(hash: bigint, words: readonly bigint[]): number | undefined {
  let h = hash;
  for (let i = words.length; i-- > 0; ) {
    const mixed = BigInt.asUintN(64, (h - BigInt(i + 1)) * INVERSE) ^ words[i]!;
    h = BigInt.asUintN(64, (mixed << 57n) | (mixed >> 7n));
  }
  const id = h - 0x1000n;
  return id >= 0n && id < 0x10000n ? Number(id) : undefined;
}

/** The functions that a body calls, each with those that it calls in turn. */
const CALLS: Readonly<Record<string, readonly string[]>> = { ca: ['cb', 'f1', 'f2'], cb: ['f1'] };

/**
 * Assembles a body and those that it calls, and a live patch. Labels: `body` is the start, `handler` what the call
 * site of a live-patched function leads to. A recursive body goes back to the traced function's entry.
 */
export function assembleBodies(body: Body, base: Word, traced: Word, image: Word): Assembled {
  const symbols: Readonly<Record<string, Word>> = { traced, image };
  const a = new Assembler(base, (symbol) => symbols[symbol]);
  a.label('body');
  emitBody(a, body);
  for (const name of CALLS[body.name] ?? []) {
    a.label(name);
    const args = name === 'f1' ? 'u64' : 'u64 x2';
    emitBody(a, { name, id: NAMES.indexOf(name), signature: parseSignature(`${args} -> u64`) });
  }
  emitHandler(a);
  emitReplacement(a);
  return a.finish();
}

function emitBody(a: Assembler, body: Body): void {
  const slots = abiSlots(body.signature);
  openEvent(a, BODY_EVENT | (body.id << 8));
  slots.forEach((slot, i) => {
    noteArgument(a, slot, body.signature.args[slot.argument]!, i);
  });
  a.loadConstant(RAX, fromNumber(slots.length), false);
  a.store(R10, 16, RAX);
  emitHash(a, body.id, slots.length);
  a.store(R10, 24, RAX);
  a.lea(RCX, R10, 8 * (BODY_ARGUMENTS + slots.length));
  a.store(R11, CELL.LOG_NEXT, RCX);
  emitCalls(a, body.name);
  emitReturn(a, body.signature.ret);
}

/** `r10` ← where the event is written; its header and return address are. */
function openEvent(a: Assembler, header: number): void {
  a.loadConstant(R11, DATA, false);
  a.load(R10, R11, CELL.LOG_NEXT);
  a.storeImmediate(R10, 0, header);
  a.load(RAX, RSP, 0);
  a.store(R10, 8, RAX);
}

/** One word of an argument, narrowed to its type, into the event. */
function noteArgument(a: Assembler, { place, bytes }: Slot, type: Type, index: number): void {
  if (place.in === 'stack') a.load(RAX, RSP, 8 + 8 * place.index);
  else a.mov(RAX, ARGUMENT_REGS[place.index]!);
  if (!type.struct && (bytes === 1 || bytes === 2 || bytes === 4)) a.extend(RAX, RAX, bytes, type.signed);
  a.store(R10, 8 * (BODY_ARGUMENTS + index), RAX);
}

/** `rax` ← the hash of the noted words. */
function emitHash(a: Assembler, id: number, words: number): void {
  a.loadConstant(RAX, fromNumber(0x1000 + id), false);
  a.loadConstant(RCX, MULTIPLIER, false);
  for (let i = 0; i < words; i++) {
    a.rotateLeft(RAX, 7);
    a.load(RDX, R10, 8 * (BODY_ARGUMENTS + i));
    a.xorRegister(RAX, RDX);
    a.multiply(RAX, RCX);
    a.add(RAX, i + 1);
  }
}

/** What the bodies `ca`, `cb` and `rec` do with their hash: mix in what other functions return. */
function emitCalls(a: Assembler, name: string): void {
  if (name !== 'ca' && name !== 'cb' && name !== 'rec') return;
  const first = 8 * BODY_ARGUMENTS;
  a.push(RBX);
  a.push(R12);
  a.push(R12);
  a.mov(RBX, R10);
  a.load(RDI, RBX, first);
  if (name === 'rec') emitRecursion(a);
  else if (name === 'cb') {
    a.load(RSI, RBX, first + 8);
    a.addRegister(RDI, RSI);
    a.call('f1');
    a.load(RCX, RBX, 24);
    a.addRegister(RAX, RCX);
  } else {
    a.load(RSI, RBX, first + 8);
    a.call('cb');
    a.mov(R12, RAX);
    a.load(RDI, RBX, first + 16);
    a.load(RSI, RBX, 24);
    a.call('f2');
    a.xorRegister(RAX, R12);
    a.load(RCX, RBX, 24);
    a.xorRegister(RAX, RCX);
  }
  a.pop(R12);
  a.pop(R12);
  a.pop(RBX);
}

/** `if (a1 is 1 … 7) h += rec(a1 − 1)`, through the traced entry. */
function emitRecursion(a: Assembler): void {
  a.add(RDI, -1);
  a.load(RAX, RBX, 24);
  a.compare(RDI, 6);
  a.jumpIfAboveNear('recursion ends');
  a.call('traced');
  a.load(RCX, RBX, 24);
  a.addRegister(RAX, RCX);
  a.label('recursion ends');
}

/** Returns as the type asks, and leaves nothing else in the registers that a function may destroy. */
function emitReturn(a: Assembler, ret: Type): void {
  const wide = ret.size > 8;
  if (ret.size === 0) a.zero(RAX);
  if (ret.name === 'bool') a.and(RAX, 1);
  if (wide) {
    a.mov(RDX, RAX);
    a.not(RDX);
  }
  a.loadConstant(R11, DATA, false);
  for (const reg of CALLER_SAVED)
    if (reg !== RAX && reg !== R11 && !(wide && reg === RDX)) a.load(reg, R11, CELL.CLOBBER + 8 * reg);
  a.ret();
}

/** The handler of a live patch, as far as a trampoline sees it: the call goes on to the replacement. */
function emitHandler(a: Assembler): void {
  a.label('handler');
  a.push(RAX);
  openEvent(a, FTRACE_EVENT);
  ARGUMENT_REGS.forEach((reg, i) => {
    a.store(R10, 16 + 8 * i, reg);
  });
  a.lea(R10, R10, 16 + 8 * ARGUMENT_REGS.length);
  a.store(R11, CELL.LOG_NEXT, R10);
  a.loadSymbol(RAX, 'replacement');
  a.store(RSP, 8, RAX);
  a.pop(RAX);
  a.jump('image');
}

function emitReplacement(a: Assembler): void {
  a.label('replacement');
  openEvent(a, REPLACEMENT_EVENT);
  a.lea(R10, R10, 16);
  a.store(R11, CELL.LOG_NEXT, R10);
  a.loadConstant(RAX, REPLACEMENT_RETURN, false);
  a.ret();
}

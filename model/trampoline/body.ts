import type { ArgumentSlot } from '../abi/x86-64.ts';
import { item } from '../core/present.ts';
import { unreachable } from '../core/unreachable.ts';
import { fixedAddress } from '../ftrace/entry/entry-code.ts';
import { FUNCTION_CODE_BYTES, functionAddress, XDP_PROGS } from '../text/space.ts';
import { ARGUMENT_REGS } from '../x86/argument-registers.ts';
import { Assembler } from '../x86/assemble.ts';
import { NOP5 } from '../x86/nop.ts';
import type { Reg } from '../x86/register.ts';
import { RAX, RBX, RCX, RDI, RDX, RSI, RSP } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { fromBigInt, fromNumber, plus } from '../x86/word.ts';
import type { Signature, Type } from './signature.ts';
import { abiSlots } from './signature.ts';
import type { Nesting, TracedFunction } from './traced-function.ts';
import { BPF_FUNC, INSNSI } from './world.ts';

/*
 * The bodies of traced functions: a body records its arguments, narrowed to their types, and returns a hash that
 * differs for every word and position.
 *
 *   h = 0x1000 + id;  for each word i: h = (rotl64(h, 7) ^ v[i]) * 0x100000001b3 + i + 1
 */

/** The prime of 64-bit FNV: multiplication spreads each word over the hash. */
const MULTIPLIER = fromBigInt(0x100000001b3n);

/**
 * A traced function at its address: `endbr64` if call sites come after it, a call site with a nop, the body.
 * body_hook() gets the function's number, its narrowed words, their count, and their hash. A function that does
 * not return ends in do_task_dead(). `places` gives the position of each function in the address space; by
 * default, its index.
 */
export function assembleFunction(
  functions: readonly TracedFunction[],
  order: number,
  siteOffset: number,
  places: readonly number[] = functions.map((_, i) => i),
): Uint8Array {
  const traced = item(functions, order);
  const place = item(places, order);
  const a = new Assembler(functionAddress(place), (symbol) => {
    const callee = functions.findIndex(({ name }) => name === symbol);
    if (symbol === XDP_PROG) return plus(XDP_PROGS, 8 * place);
    return callee < 0 ? fixedSymbol(traced, symbol) : functionAddress(item(places, callee));
  });
  if (siteOffset > 0) a.endbr64();
  if (a.offset !== siteOffset) throw new Error(`no call site is at offset ${siteOffset}`);
  a.bytes(NOP5);
  emitBody(a, traced, place);
  const { bytes } = a.finish();
  if (bytes.length > FUNCTION_CODE_BYTES) throw new Error(`${traced.name} is too long for its place`);
  return bytes;
}

function fixedSymbol(caller: TracedFunction, symbol: string): Word {
  const address = fixedAddress(symbol);
  if (address === undefined)
    throw new Error(`${caller.name} calls ${symbol}, which is not among the functions`);
  return address;
}

/** `rbx` holds the words across all calls; `rax` is the hash until it becomes the return value. */
function emitBody(a: Assembler, { id, signature, nesting, noreturn }: TracedFunction, place: number): void {
  const count = abiSlots(signature).length;
  const words: BodyWords = { base: RBX, at: 0, hashAt: 8 * count };
  const frameBytes = 8 * (count + 1);
  a.push(RBX);
  a.sub(RSP, frameBytes);
  a.mov(RBX, RSP);
  emitWords(a, signature, words, frameBytes + 16);
  emitHash(a, id, count, words);
  a.loadConstant(RDI, fromNumber(place), false);
  a.mov(RSI, RBX);
  a.loadConstant(RDX, fromNumber(count), false);
  a.mov(RCX, RAX);
  a.call('body_hook');
  if (noreturn) return a.call('do_task_dead');
  if (nesting === 'dispatcher') return emitDispatch(a, words, frameBytes);
  a.load(RAX, RBX, words.hashAt);
  emitCalls(a, nesting, words);
  emitReturnValue(a, signature.ret);
  a.add(RSP, frameBytes);
  a.pop(RBX);
  a.ret();
  a.int3();
}

/** The place of a body's words and of their hash: bytes from a register. */
export interface BodyWords {
  readonly base: Reg;
  readonly at: number;
  readonly hashAt: number;
}

/**
 * All words of the arguments, narrowed to their types, through `rax`. The first one on the stack is `stackAt`
 * bytes above the stack pointer. The ABI leaves the upper part of a narrow word undefined, so a body must not use
 * it.
 */
export function emitWords(a: Assembler, signature: Signature, words: BodyWords, stackAt: number): void {
  abiSlots(signature).forEach((slot, i) => {
    emitWord(a, slot, item(signature.args, slot.argument), stackAt);
    a.store(words.base, words.at + 8 * i, RAX);
  });
}

/** A struct is not narrowed: its words are passed whole. */
function emitWord(a: Assembler, { place, bytes }: ArgumentSlot, type: Type, stackAt: number): void {
  if (place.in === 'stack') a.load(RAX, RSP, stackAt + 8 * place.index);
  else a.mov(RAX, item(ARGUMENT_REGS, place.index));
  if (!type.struct && (bytes === 1 || bytes === 2 || bytes === 4)) a.extend(RAX, RAX, bytes, type.signed);
}

/** `rax` ← the hash of the words; it is also stored. */
export function emitHash(a: Assembler, id: number, count: number, words: BodyWords): void {
  a.loadConstant(RAX, fromNumber(0x1000 + id), false);
  a.loadConstant(RCX, MULTIPLIER, false);
  for (let i = 0; i < count; i++) {
    a.rotateLeft(RAX, 7);
    a.load(RDX, words.base, words.at + 8 * i);
    a.xorRegister(RAX, RDX);
    a.multiply(RAX, RCX);
    a.lea(RAX, RAX, i + 1);
  }
  a.store(words.base, words.hashAt, RAX);
}

/**
 * `rax`, the hash, is mixed with the return values of other functions. Words based on `rbx` survive the calls.
 */
export function emitCalls(a: Assembler, nesting: Nesting, words: BodyWords): void {
  switch (nesting) {
    case 'none':
    case 'dispatcher':
      return;
    case 'device':
      return emitPacket(a, words);
    case 'ca':
      return emitTwoCalls(a, words);
    case 'cb':
      a.load(RDI, words.base, words.at);
      a.load(RSI, words.base, words.at + 8);
      a.addRegister(RDI, RSI);
      a.call('f1');
      a.load(RCX, words.base, words.hashAt);
      return a.addRegister(RAX, RCX);
    case 'rec':
      return emitRecursion(a, words);
    default:
      return unreachable(nesting);
  }
}

/** `h ^= cb(a1, a2) ^ f2(a3, h)`. */
function emitTwoCalls(a: Assembler, words: BodyWords): void {
  a.load(RDI, words.base, words.at);
  a.load(RSI, words.base, words.at + 8);
  a.call('cb');
  a.push(RAX);
  a.load(RDI, words.base, words.at + 16);
  a.load(RSI, words.base, words.hashAt);
  a.call('f2');
  a.pop(RCX);
  a.xorRegister(RAX, RCX);
  a.load(RCX, words.base, words.hashAt);
  a.xorRegister(RAX, RCX);
}

/** The pointer of a device to its program. */
const XDP_PROG = 'dev->xdp_prog';

/**
 * do_xdp_generic() and bpf_prog_run_xdp() in a section of RCU: `if (dev->xdp_prog)
 * h += bpf_dispatcher_xdp_func(a1, prog->insnsi, prog->bpf_func)`.
 */
function emitPacket(a: Assembler, words: BodyWords): void {
  a.call('__rcu_read_lock');
  a.loadFrom(RAX, XDP_PROG);
  a.test(RAX);
  a.jumpIfZeroNear('no program');
  a.load(RDI, words.base, words.at);
  a.lea(RSI, RAX, INSNSI);
  a.load(RDX, RAX, BPF_FUNC);
  a.call('bpf_dispatcher_xdp_func');
  a.load(RCX, words.base, words.hashAt);
  a.addRegister(RAX, RCX);
  a.store(words.base, words.hashAt, RAX);
  a.label('no program');
  a.call('__rcu_read_unlock');
  a.load(RAX, words.base, words.hashAt);
}

/** The static call of DEFINE_BPF_DISPATCHER() is the last thing that its function does, and so a jump. */
function emitDispatch(a: Assembler, words: BodyWords, frameBytes: number): void {
  for (const [i, reg] of [RDI, RSI, RDX].entries()) a.load(reg, words.base, words.at + 8 * i);
  a.add(RSP, frameBytes);
  a.pop(RBX);
  a.jump('bpf_dispatcher_xdp_call');
}

/** `if (a1 is 1 … 7) h += rec(a1 − 1)`. */
function emitRecursion(a: Assembler, words: BodyWords): void {
  a.load(RDI, words.base, words.at);
  a.add(RDI, -1);
  a.compare(RDI, 6);
  a.jumpIfAboveNear('recursion ends');
  a.call('rec');
  a.load(RCX, words.base, words.hashAt);
  a.addRegister(RAX, RCX);
  a.label('recursion ends');
}

/** A narrow type leaves the rest of the hash in `rax`, as compilers do; a struct of two words is {h, ~h}. */
export function emitReturnValue(a: Assembler, ret: Type): void {
  if (ret.size === 0) a.zero(RAX);
  if (ret.name === 'bool') a.and(RAX, 1);
  if (ret.size <= 8) return;
  a.mov(RDX, RAX);
  a.not(RDX);
}

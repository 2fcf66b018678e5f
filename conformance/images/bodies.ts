import { item } from '../../model/core/present.ts';
import { REPLACEMENT_RETURN } from '../../model/ftrace/entry/clients.ts';
import type { BodyWords } from '../../model/trampoline/body.ts';
import { emitCalls, emitHash, emitReturnValue, emitWords } from '../../model/trampoline/body.ts';
import type { Type } from '../../model/trampoline/signature.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import { CELL, DATA } from '../../model/trampoline/stage/layout.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { ARGUMENT_REGS } from '../../model/x86/argument-registers.ts';
import { Assembler } from '../../model/x86/assemble.ts';
import type { Assembled } from '../../model/x86/assembled.ts';
import type { Reg } from '../../model/x86/register.ts';
import { CALLER_SAVED, R10, R11, RAX, RBX, RCX, RDX, RSP } from '../../model/x86/register.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromNumber } from '../../model/x86/word.ts';

/** Header of the event that a body writes: this kind, with its function's number above. */
export const BODY_EVENT = 9;
/** Header of the events of a live patch: its handler, and the replacement that runs instead of the body. */
export const FTRACE_EVENT = 10;
export const REPLACEMENT_EVENT = 11;

/** The multiplier's inverse modulo 2 to the power of 64. */
const INVERSE = 0xce965057aff6957bn;

/** Words of a body's event before its arguments: header, return address, count, hash. */
export const BODY_ARGUMENTS = 4;

/** The recorder's functions in the order of their numbers; each name has the prefix `security_lab_`. */
const NAMES = (
  'f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 b1 m3 m5 m8 m10 s1 s3 s5 s7 s8 s8b s24 s9 s12 v0 v3 v8 ' +
  'r8 r16 r32 rb rs16 i128 ca cb rec h1 h2 h3 h4 h5'
).split(' ');

/** The number of a function by its full name, or undefined when it is not on the recorder's list. */
export function bodyNumber(name: string): number | undefined {
  const id = NAMES.indexOf(name.replace(/^security_lab_/, ''));
  return id < 0 ? undefined : id;
}

/** The name of a function by its number, as events have it. */
export function bodyName(id: number): string | undefined {
  return NAMES[id];
}

/**
 * The number in the hash that a body returned for the given words, or undefined when it is not such a hash: the hash
 * is invertible, so that functions of another list can be read too.
 */
export function numberInHash(hash: bigint, words: readonly bigint[]): number | undefined {
  let h = hash;
  for (let i = words.length; i-- > 0; ) {
    const mixed = BigInt.asUintN(64, (h - BigInt(i + 1)) * INVERSE) ^ item(words, i);
    h = BigInt.asUintN(64, (mixed << 57n) | (mixed >> 7n));
  }
  const id = h - 0x1000n;
  return id >= 0n && id < 0x10000n ? Number(id) : undefined;
}

/** The functions that a body calls, with their callees. */
const CALLS: Readonly<Record<string, readonly string[]>> = { ca: ['cb', 'f1', 'f2'], cb: ['f1'] };

/**
 * Assembles the body of one of the recorder's functions, which logs its arguments and its hash, its callees, and a
 * live patch. Labels: `body` is the start, `handler` the target of a live-patched function's call site. A recursive
 * body calls the traced function's entry.
 */
export function assembleBodies(body: TracedFunction, base: Word, traced: Word, image: Word): Assembled {
  const symbols: Readonly<Record<string, Word>> = { rec: traced, image };
  const a = new Assembler(base, (symbol) => symbols[symbol]);
  a.label('body');
  emitBody(a, body);
  for (const name of CALLS[body.name] ?? []) {
    a.label(name);
    const args = name === 'f1' ? 'u64' : 'u64 x2';
    emitBody(a, tracedFunction(name, NAMES.indexOf(name), `${args} -> u64`));
  }
  emitHandler(a);
  emitReplacement(a);
  return a.finish();
}

function emitBody(a: Assembler, body: TracedFunction): void {
  const count = abiSlots(body.signature).length;
  openEvent(a, BODY_EVENT | (body.id << 8));
  emitWords(a, body.signature, inEvent(R10), 8);
  a.loadConstant(RAX, fromNumber(count), false);
  a.store(R10, 16, RAX);
  emitHash(a, body.id, count, inEvent(R10));
  a.lea(RCX, R10, 8 * (BODY_ARGUMENTS + count));
  a.store(R11, CELL.LOG_NEXT, RCX);
  a.push(RBX);
  a.mov(RBX, R10);
  emitCalls(a, body.nesting, inEvent(RBX));
  a.pop(RBX);
  emitReturn(a, body.signature.ret);
}

/** Words and hash of a body's event, whose address is in a register. */
function inEvent(base: Reg): BodyWords {
  return { base, at: 8 * BODY_ARGUMENTS, hashAt: 24 };
}

/** `r10` ← where the event is written, past its header and return address. */
function openEvent(a: Assembler, header: number): void {
  a.loadConstant(R11, DATA, false);
  a.load(R10, R11, CELL.LOG_NEXT);
  a.storeImmediate(R10, 0, header);
  a.load(RAX, RSP, 0);
  a.store(R10, 8, RAX);
}

/** Returns as the type requires, and clobbers every other register that a function may clobber. */
function emitReturn(a: Assembler, ret: Type): void {
  const wide = ret.size > 8;
  emitReturnValue(a, ret);
  a.loadConstant(R11, DATA, false);
  for (const reg of CALLER_SAVED)
    if (reg !== RAX && reg !== R11 && !(wide && reg === RDX)) a.load(reg, R11, CELL.CLOBBER + 8 * reg);
  a.ret();
}

/** The handler of a live patch, as far as a trampoline sees it: the call continues in the replacement. */
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

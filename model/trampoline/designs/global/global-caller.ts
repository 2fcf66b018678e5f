import { ARGUMENT_REGS } from '../../../x86/argument-registers.ts';
import type { Assembler } from '../../../x86/assemble.ts';
import type { Reg } from '../../../x86/register.ts';
import { R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI, RSP } from '../../../x86/register.ts';
import { fromHex, fromNumber } from '../../../x86/word.ts';
import { LISTS } from './kfunc-md.ts';
import { ARRAY, MD, NODE, PROG } from './kfunc-md-memory.ts';

/*
 * bpf_global_caller_N and bpf_global_caller_N_run, arch/x86/net/bpf_jit_comp.c of the series: one piece of code
 * for all functions with N arguments. Call sites call the first; the second is C, written here as a compiler may
 * generate it, with what it inlines. The helpers around a program (bpf_gtramp_enter(), bpf_gtramp_exit()) are
 * inlined there as well, but called here, so that they are counted as in every other image.
 *
 * ```text
 *   +80   return address of the traced function's caller
 *   +72   return address into the traced function     <- rsp when the code is entered; ip
 *   +16   arguments, and after the last one the return value                      <- args
 *    +8   N                                                                 args[-1]
 *    +0   address of the traced function                                    args[-2]
 * ```
 */

const FRAME_BYTES = 72;
const ARGS_AT = 16;
const WORD = 8;

/** Counts of arguments that there is code for: those in registers. */
export const ARGS_MOST = ARGUMENT_REGS.length;

export function callerName(nrArgs: number): string {
  return `bpf_global_caller_${nrArgs}`;
}

/** Finds the metadata of the function whose address is in `rdi`; the result is in `rax`. */
export type Lookup = (a: Assembler) => void;

/** How the C part returns its int. */
export type GlobalAnswer = (a: Assembler, value: 0 | 1) => void;

/** An int as compilers return it: writing the low half of a register clears the upper one. */
export const cleanInt: GlobalAnswer = (a, value) => {
  a.loadConstant(RAX, fromNumber(value), false);
};

/** An int as the ABI allows it to be returned: the upper half of `rax` is undefined. */
export const dirtyInt: GlobalAnswer = (a, value) => {
  a.loadConstant(RAX, fromHex(`0xbadc0de00000000${value}`), false);
};

/** The caller tests all of `rax`, although the C part returns an int: see `dirtyInt`. */
export function emitGlobalCaller(a: Assembler, nrArgs: number, lookup: Lookup, answer: GlobalAnswer): void {
  a.sub(RSP, FRAME_BYTES);
  for (const [i, reg] of argumentRegisters(nrArgs)) a.store(RSP, ARGS_AT + WORD * i, reg);
  a.lea(RDI, RSP, ARGS_AT);
  a.lea(RSI, RSP, FRAME_BYTES);
  a.call('run');
  a.test(RAX);
  a.jumpIfNonzeroNear('the original has run');
  for (const [i, reg] of argumentRegisters(nrArgs)) a.load(reg, RSP, ARGS_AT + WORD * i);
  a.add(RSP, FRAME_BYTES);
  a.ret();
  a.label('the original has run');
  a.load(RAX, RSP, ARGS_AT + WORD * nrArgs);
  a.add(RSP, FRAME_BYTES + WORD);
  a.ret();
  a.int3();
  a.align(16, 8);
  emitRun(a, nrArgs, lookup, answer);
}

/** The registers of the first arguments, each with its number. */
function argumentRegisters(nrArgs: number): [number, Reg][] {
  return [...ARGUMENT_REGS.slice(0, nrArgs).entries()];
}

/** Callee-saved registers, all of which the C part uses. */
const SAVED: readonly Reg[] = [RBX, RBP, R12, R13, R14, R15];
/** `struct bpf_tramp_run_ctx`. */
const RUN_CTX_BYTES = 16;

/** Register allocation of the C part. */
const ARGS = RBX;
const IP = RBP;
const THE_MD = R12;
const DO_ORIGIN = R13;
const TRAMP_PROG = R14;
const START_TIME = R15;

/**
 * bpf_global_caller_run(). For a function with entry programs only, metadata is used after rcu_read_unlock()
 * without a reference:
 *
 * ```text
 *   task#1 on cpu 0: f1()                                  client#1: close(link#1)
 *   -------------------------------------------------      -----------------------------------------
 *   rcu_read_lock(), kfunc_md_get_rcu(), rcu_read_unlock()
 *   is preempted
 *                                                          unlinks the program, frees it after RCU
 *   enters a program that was freed
 * ```
 */
function emitRun(a: Assembler, nrArgs: number, lookup: Lookup, answer: GlobalAnswer): void {
  a.label('run');
  for (const reg of SAVED) a.push(reg);
  a.sub(RSP, RUN_CTX_BYTES);
  a.mov(ARGS, RDI);
  a.mov(IP, RSI);
  a.call('__rcu_read_lock');
  emitFind(a, lookup);
  a.call('__rcu_read_unlock');
  a.storeImmediate(ARGS, -WORD, nrArgs);
  emitPrograms(a, LISTS.FENTRY, undefined);
  a.test(DO_ORIGIN);
  a.jumpIfZeroNear('no original');
  a.storeImmediate(ARGS, WORD * nrArgs, 0);
  emitPrograms(a, LISTS.MODIFY_RETURN, WORD * nrArgs);
  for (const [i, reg] of argumentRegisters(nrArgs)) a.load(reg, ARGS, WORD * i);
  a.load(RAX, IP, 0);
  a.callRegister(RAX);
  a.store(ARGS, WORD * nrArgs, RAX);
  a.label('do_fexit');
  emitPrograms(a, LISTS.FEXIT, undefined);
  a.mov(RDI, THE_MD);
  a.call('kfunc_md_exit');
  answer(a, 1);
  a.jump('end');
  a.label('no original');
  answer(a, 0);
  a.label('end');
  a.add(RSP, RUN_CTX_BYTES);
  for (const reg of SAVED.toReversed()) a.pop(reg);
  a.ret();
  a.int3();
}

/** The result of kfunc_md_get_rcu() is used without a NULL check: a function may have lost its metadata since. */
function emitFind(a: Assembler, lookup: Lookup): void {
  a.load(RDI, IP, 0);
  a.and(RDI, -16);
  a.store(ARGS, -2 * WORD, RDI);
  lookup(a);
  a.mov(THE_MD, RAX);
  a.loadByte(DO_ORIGIN, THE_MD, MD.ORIGIN_CALL);
  a.test(DO_ORIGIN);
  a.jumpIfZeroNear('no reference');
  a.mov(RDI, THE_MD);
  a.call('kfunc_md_enter');
  a.label('no reference');
}

/**
 * The programs of a list; `answerAt` is the offset from `args` for the result of one that modifies the return.
 */
function emitPrograms(a: Assembler, list: number, answerAt: number | undefined): void {
  a.load(TRAMP_PROG, THE_MD, MD.PROGS + WORD * list);
  a.label(`list ${list}`);
  a.test(TRAMP_PROG);
  a.jumpIfZeroNear(`end of list ${list}`);
  a.load(RAX, TRAMP_PROG, NODE.COOKIE);
  a.store(RSP, 0, RAX);
  emitAround(a, `enter ${list}`, '__bpf_prog_enter_recur', '__bpf_prog_enter_sleepable_recur');
  a.mov(START_TIME, RAX);
  a.test(RAX);
  a.jumpIfZeroNear(`missed ${list}`);
  a.load(RAX, TRAMP_PROG, NODE.PROG);
  a.load(RAX, RAX, PROG.FUNC);
  a.mov(RDI, ARGS);
  a.callRegister(RAX);
  if (answerAt !== undefined) a.store(ARGS, answerAt, RAX);
  a.label(`missed ${list}`);
  emitAround(a, `exit ${list}`, '__bpf_prog_exit_recur', '__bpf_prog_exit_sleepable_recur');
  if (answerAt !== undefined) {
    a.compareImmediate(ARGS, answerAt, 0);
    a.jumpIfNonzeroNear('do_fexit');
  }
  a.load(TRAMP_PROG, TRAMP_PROG, NODE.NEXT);
  a.jump(`list ${list}`);
  a.label(`end of list ${list}`);
}

/** Enters or leaves the program, with the helper for sleepable programs or the other one. */
function emitAround(a: Assembler, name: string, plain: string, sleepable: string): void {
  a.load(RDI, TRAMP_PROG, NODE.PROG);
  a.mov(RSI, name.startsWith('enter') ? RSP : START_TIME);
  if (!name.startsWith('enter')) a.mov(RDX, RSP);
  a.load(RAX, RDI, PROG.SLEEPABLE);
  a.test(RAX);
  a.jumpIfNonzeroNear(`${name}, sleepable`);
  a.call(plain);
  a.jump(`${name}, done`);
  a.label(`${name}, sleepable`);
  a.call(sleepable);
  a.label(`${name}, done`);
}

/** GOLDEN_RATIO_64. */
const GOLDEN_RATIO = fromHex('0x61c8864680b583eb');

/** kfunc_md_get_rcu(): hash_ptr() of the address, and a walk through the list. `rdi` stays as it is. */
export const hashLookup: Lookup = (a) => {
  a.loadFrom(RDX, 'kfunc_mds');
  a.loadConstant(RAX, GOLDEN_RATIO, false);
  a.multiply(RAX, RDI);
  a.loadConstant(RCX, fromNumber(64), false);
  a.subtractLoaded(RCX, RDX, ARRAY.HASH_BITS);
  a.shiftRightByCl(RAX);
  a.loadIndexed(RAX, RDX, RAX, ARRAY.LISTS);
  a.label('next entry');
  a.test(RAX);
  a.jumpIfZeroNear('found');
  a.compareMemory(RAX, MD.FUNC, RDI);
  a.jumpIfZeroNear('found');
  a.load(RAX, RAX, MD.NEXT);
  a.jump('next entry');
  a.label('found');
};

/** Bytes of the metadata of one function, as a power of two. */
const MD_SHIFT = 7;

/** kfunc_md_get() of the first version: the index is before the function, and is not checked. */
export const paddingLookup: Lookup = (a) => {
  a.loadHalf(RAX, RDI, -4);
  a.loadFrom(RDX, 'kfunc_mds');
  a.load(RDX, RDX, ARRAY.MDS);
  a.rotateLeft(RAX, MD_SHIFT);
  a.addRegister(RAX, RDX);
};

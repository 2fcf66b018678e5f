import { ARGUMENT_REGS } from '../../../x86/argument-registers.ts';
import type { Assembler } from '../../../x86/assemble.ts';
import type { Reg } from '../../../x86/register.ts';
import { R12, R13, R14, R15, RAX, RBP, RBX, RDI, RSI, RSP } from '../../../x86/register.ts';
import { fromHex, fromNumber } from '../../../x86/word.ts';
import { LISTS } from './kfunc-md.ts';
import { MD, NODE, PROG } from './kfunc-md-memory.ts';

/*
 * bpf_global_caller_N and bpf_global_caller_N_run, arch/x86/net/bpf_jit_comp.c of the series: one piece of code
 * for all functions with N arguments. Call sites call the first; the second is C, written here as a compiler may
 * generate it, with what it inlines. The helpers around a program (bpf_gtramp_enter(), bpf_gtramp_exit()) are
 * inlined there as well, but called in the designs, so that what they do is a step of the kernel; `inlined.ts`
 * has them inlined, to be counted.
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

/** One of the callers that a compiler may make of bpf_global_caller_run(). */
export interface CallerShape {
  readonly lookup: Lookup;
  readonly answer: GlobalAnswer;
  /** The code before and after a program. */
  readonly around: Around;
  /** Constants of a specialised caller: no test of them is left. Undefined: tested in each call. */
  readonly sleepable?: boolean;
  readonly origin?: boolean;
}

/** Code around a program, whose node is in `r14`: calls of the helpers, or what they do (`inlined.ts`). */
export interface Around {
  /** Leaves the start time in `r15`, or goes to `missed` when the program is running on this CPU already. */
  readonly enter: (a: Assembler, list: number, missed: string, sleepable: boolean | undefined) => void;
  readonly exit: (a: Assembler, list: number, sleepable: boolean | undefined) => void;
  /** kfunc_md_enter() and kfunc_md_exit() of the metadata in `r12`. */
  readonly enterMd: (a: Assembler) => void;
  readonly exitMd: (a: Assembler) => void;
}

/** The caller tests all of `rax`, although the C part returns an int: see `dirtyInt`. */
export function emitGlobalCaller(a: Assembler, nrArgs: number, shape: CallerShape): void {
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
  emitRun(a, nrArgs, shape);
}

/** The registers of the first arguments, each with its number. */
function argumentRegisters(nrArgs: number): [number, Reg][] {
  return [...ARGUMENT_REGS.slice(0, nrArgs).entries()];
}

/** Callee-saved registers, all of which the C part uses. */
const SAVED: readonly Reg[] = [RBX, RBP, R12, R13, R14, R15];
/** `struct bpf_tramp_run_ctx`. */
const RUN_CTX_BYTES = 16;

/** Register allocation of the C part; `struct bpf_tramp_run_ctx` is at `rsp`. */
const ARGS = RBX;
const IP = RBP;
export const THE_MD = R12;
const DO_ORIGIN = R13;
export const TRAMP_PROG = R14;
export const START_TIME = R15;

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
function emitRun(a: Assembler, nrArgs: number, shape: CallerShape): void {
  const { answer, origin } = shape;
  a.label('run');
  for (const reg of SAVED) a.push(reg);
  a.sub(RSP, RUN_CTX_BYTES);
  a.mov(ARGS, RDI);
  a.mov(IP, RSI);
  a.call('__rcu_read_lock');
  emitFind(a, shape);
  a.call('__rcu_read_unlock');
  a.storeImmediate(ARGS, -WORD, nrArgs);
  emitPrograms(a, LISTS.FENTRY, undefined, shape);
  if (origin === undefined) {
    a.test(DO_ORIGIN);
    a.jumpIfZeroNear('no original');
  }
  if (origin !== false) emitOriginal(a, nrArgs, shape);
  a.label('no original');
  if (origin !== true) answer(a, 0);
  a.label('end');
  a.add(RSP, RUN_CTX_BYTES);
  for (const reg of SAVED.toReversed()) a.pop(reg);
  a.ret();
  a.int3();
}

/** The programs that modify the return value, the original, the programs at the exit. */
function emitOriginal(a: Assembler, nrArgs: number, shape: CallerShape): void {
  a.storeImmediate(ARGS, WORD * nrArgs, 0);
  emitPrograms(a, LISTS.MODIFY_RETURN, WORD * nrArgs, shape);
  for (const [i, reg] of argumentRegisters(nrArgs)) a.load(reg, ARGS, WORD * i);
  a.load(RAX, IP, 0);
  a.callRegister(RAX);
  a.store(ARGS, WORD * nrArgs, RAX);
  a.label('do_fexit');
  emitPrograms(a, LISTS.FEXIT, undefined, shape);
  shape.around.exitMd(a);
  shape.answer(a, 1);
  if (shape.origin === undefined) a.jump('end');
}

/** The result of kfunc_md_get_rcu() is used without a NULL check: a function may have lost its metadata since. */
function emitFind(a: Assembler, { lookup, around, origin }: CallerShape): void {
  a.load(RDI, IP, 0);
  a.and(RDI, -16);
  a.store(ARGS, -2 * WORD, RDI);
  lookup(a);
  a.mov(THE_MD, RAX);
  if (origin === undefined) {
    a.loadByte(DO_ORIGIN, THE_MD, MD.ORIGIN_CALL);
    a.test(DO_ORIGIN);
    a.jumpIfZeroNear('no reference');
  }
  if (origin !== false) around.enterMd(a);
  a.label('no reference');
}

/**
 * The programs of a list; `answerAt` is the offset from `args` for the result of one that modifies the return.
 */
function emitPrograms(
  a: Assembler,
  list: number,
  answerAt: number | undefined,
  { around, sleepable }: CallerShape,
): void {
  a.load(TRAMP_PROG, THE_MD, MD.PROGS + WORD * list);
  a.label(`list ${list}`);
  a.test(TRAMP_PROG);
  a.jumpIfZeroNear(`end of list ${list}`);
  a.load(RAX, TRAMP_PROG, NODE.COOKIE);
  a.store(RSP, 0, RAX);
  around.enter(a, list, `missed ${list}`, sleepable);
  a.load(RAX, TRAMP_PROG, NODE.PROG);
  a.load(RAX, RAX, PROG.FUNC);
  a.mov(RDI, ARGS);
  a.callRegister(RAX);
  if (answerAt !== undefined) a.store(ARGS, answerAt, RAX);
  a.label(`missed ${list}`);
  around.exit(a, list, sleepable);
  if (answerAt !== undefined) {
    a.compareImmediate(ARGS, answerAt, 0);
    a.jumpIfNonzeroNear('do_fexit');
  }
  a.load(TRAMP_PROG, TRAMP_PROG, NODE.NEXT);
  a.jump(`list ${list}`);
  a.label(`end of list ${list}`);
}

import type { Assembler } from '../../x86/assemble.ts';
import type { Reg } from '../../x86/register.ts';
import { R8, R9, R11, RAX, RBP, RCX, RDI, RDX, RSI, RSP } from '../../x86/register.ts';
import { fromHex, fromNumber } from '../../x86/word.ts';

/*
 * Machine code of clients: a direct trampoline as in samples/ftrace/ftrace-direct.c, a live patch's replacement,
 * and the caller.
 */

/** Registers that a direct trampoline saves for the traced function: `rdi` first, as its C function gets them. */
export const SAVED_BY_TRAMPOLINE: readonly Reg[] = [RDI, RSI, RDX, RCX, R8, R9, RAX];

/** Bytes for them: one word more than needed, for alignment. */
const SAVED_BYTES = 64;

/**
 * A direct trampoline. direct_hook() gets its number, the saved registers, and the address that the trampoline
 * returns to.
 */
export function emitDirectTrampoline(a: Assembler, number: number, ibt: boolean): void {
  if (ibt) a.endbr64();
  a.push(RBP);
  a.mov(RBP, RSP);
  a.sub(RSP, SAVED_BYTES);
  SAVED_BY_TRAMPOLINE.forEach((reg, i) => {
    a.store(RSP, 8 * i, reg);
  });
  a.loadConstant(RDI, fromNumber(number), false);
  a.mov(RSI, RSP);
  a.load(RDX, RBP, 8);
  a.call('direct_hook');
  SAVED_BY_TRAMPOLINE.forEach((reg, i) => {
    a.load(reg, RSP, 8 * i);
  });
  a.add(RSP, SAVED_BYTES);
  a.pop(RBP);
  a.ret();
  a.int3();
}

/** The return value of a live patch's replacement, whatever the function's type. */
export const REPLACEMENT_RETURN = fromHex('0xaaaa000055550000');

/** The function that runs instead of a live-patched one. */
export function emitReplacement(a: Assembler): void {
  a.call('replacement_hook');
  a.loadConstant(RAX, REPLACEMENT_RETURN, false);
  a.ret();
  a.int3();
}

/** Label in the caller: the return address of the traced function, and the end of a run. */
export const CALL_RETURNS = 'call returns';

/** The caller: the function's address is in `r11`, the arguments are in place. */
export function emitCallSite(a: Assembler): void {
  a.zero(RAX);
  a.callRegister(R11);
  a.label(CALL_RETURNS);
  a.int3();
}

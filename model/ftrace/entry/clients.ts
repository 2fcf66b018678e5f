import type { Assembler } from '../../x86/assemble.ts';
import type { Reg } from '../../x86/register.ts';
import { R8, R9, R11, RAX, RBP, RCX, RDI, RDX, RSI, RSP } from '../../x86/register.ts';
import { fromHex, fromNumber } from '../../x86/word.ts';

/** What a direct trampoline keeps for the traced function: `rdi` first, as its C function gets the words. */
export const SAVED_BY_TRAMPOLINE: readonly Reg[] = [RDI, RSI, RDX, RCX, R8, R9, RAX];

/** The words that it keeps them in: one more than needed. */
const SAVED_BYTES = 64;

/**
 * A client's trampoline for direct calls, as in samples/ftrace/ftrace-direct.c. direct_hook() gets its number, the
 * saved registers, and the address that the trampoline will return to.
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

/** What the replacement of a live-patched function returns, whatever the function's type. */
export const REPLACEMENT_RETURN = fromHex('0xaaaa000055550000');

/** What a live patch lets run in place of a function. */
export function emitReplacement(a: Assembler): void {
  a.call('replacement_hook');
  a.loadConstant(RAX, REPLACEMENT_RETURN, false);
  a.ret();
  a.int3();
}

/** Label in the caller: where the traced function returns to, and where a run ends. */
export const CALL_RETURNS = 'call returns';

/** Whoever calls the traced function; its address is in `r11`, the arguments are where they belong. */
export function emitCallSite(a: Assembler): void {
  a.zero(RAX);
  a.callRegister(R11);
  a.label(CALL_RETURNS);
  a.int3();
}

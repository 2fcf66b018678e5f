import { present } from '../../core/present.ts';
import { Assembler } from '../../x86/assemble.ts';
import type { Assembled } from '../../x86/assembled.ts';
import { RDX } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { ZERO } from '../../x86/word.ts';
import { emitCaller, emitRegsCaller, HANDLER, INNER_CALL } from './caller.ts';
import { hexText } from './hex-text.ts';

/** Label of the pointer to the ops, in the words after the code. */
const OPS = 'ops';

/**
 * create_trampoline(), arch/x86/kernel/ftrace.c: a copy of ftrace_caller or ftrace_regs_caller for one ops, as
 * hexadecimal text. It calls the handler `func` and passes the pointer to the ops. It makes no direct call: the
 * trampoline of a direct ops is `FTRACE_REGS_ADDR`.
 */
export function opsTrampoline(regs: boolean, address: Word, func: Word, opsPointer: Word): string {
  return hexText(assemble(regs, address, func, opsPointer).bytes);
}

/** Offset of the call of the handler from the start of an ops's trampoline: arch_ftrace_update_trampoline() pokes it. */
export function opsInnerCallOffset(regs: boolean): number {
  return regs ? REGS_OFFSET : PLAIN_OFFSET;
}

const PLAIN_OFFSET = innerCallOf(assemble(false, ZERO, ZERO, ZERO));
const REGS_OFFSET = innerCallOf(assemble(true, ZERO, ZERO, ZERO));

function innerCallOf({ labels }: Assembled): number {
  return present(labels.get(INNER_CALL), INNER_CALL);
}

function assemble(regs: boolean, address: Word, func: Word, opsPointer: Word): Assembled {
  const a = new Assembler(address, (symbol) => (symbol === HANDLER ? func : undefined));
  if (regs) emitRegsCaller(a, 'ignored', loadOps);
  else emitCaller(a, loadOps);
  a.align(8, 8);
  a.label(OPS);
  a.bytes(littleEndian(opsPointer));
  return a.finish();
}

/** The pointer to the ops follows the code: create_trampoline() patches the load to read it. */
function loadOps(a: Assembler): void {
  a.loadSymbol(RDX, OPS);
  a.load(RDX, RDX, 0);
}

function littleEndian({ lo, hi }: Word): number[] {
  return [lo, hi].flatMap((half) => [0, 8, 16, 24].map((shift) => (half >>> shift) & 0xff));
}

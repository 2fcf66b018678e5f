import { SITE_BYTES } from '../../text/text.ts';
import type { Assembler } from '../../x86/assemble.ts';
import { RAX, RCX, RDI, RDX, RSI, RSP } from '../../x86/register.ts';
import {
  ARGUMENTS,
  FRAME_BYTES,
  FRAME_POINTER,
  KERNEL_CS,
  KERNEL_DS,
  OTHERS,
  PT_REGS,
  restore,
  SCRATCH,
  save,
} from './frame.ts';

/** Label of the call that ftrace redirects: `ftrace_call`, `ftrace_regs_call`, or the same in an ops's copy. */
export const INNER_CALL = 'inner call';

/** Symbol of the function that the inner call calls. */
export const HANDLER = 'handler';

/**
 * What happens to `ORIG_RAX`, in which call_direct_funcs() leaves the address of a direct call: it is called;
 * since 7.2 an address with its lowest bit set is jumped to; the copy for a single ops ignores it.
 */
export type Direct = 'ignored' | 'called' | 'called or jumped to';

/** Bytes of flags that ftrace_regs_caller pushes first. */
const FLAGS_BYTES = 8;

/**
 * ftrace_caller, arch/x86/kernel/ftrace_64.S: the handler gets the address of the call site, the caller's return
 * address, the ops, and a frame with the arguments. `loadOps` loads the ops into `rdx`. `RIP` of the frame is
 * stored back as the return address: a handler may change it (IPMODIFY), but only a site with registers is
 * patched to let it.
 */
export function emitCaller(a: Assembler, loadOps: (a: Assembler) => void): void {
  a.sub(RSP, FRAME_BYTES);
  save(a, [...ARGUMENTS, FRAME_POINTER]);
  a.storeImmediate(RSP, PT_REGS.CS, 0);
  callHandler(a, FRAME_BYTES, loadOps);
  a.load(RAX, RSP, PT_REGS.RIP);
  a.store(RSP, FRAME_BYTES, RAX);
  restore(a, [...ARGUMENTS, FRAME_POINTER]);
  a.add(RSP, FRAME_BYTES);
  a.ret();
  a.int3();
}

/**
 * ftrace_regs_caller: all registers and the flags. The handler may change all but `rsp`; they are restored from
 * the frame.
 */
export function emitRegsCaller(a: Assembler, direct: Direct, loadOps: (a: Assembler) => void): void {
  a.pushFlags();
  a.sub(RSP, FRAME_BYTES);
  save(a, [...ARGUMENTS, ...OTHERS, FRAME_POINTER, SCRATCH]);
  a.load(RAX, RSP, FRAME_BYTES);
  a.store(RSP, PT_REGS.EFLAGS, RAX);
  a.storeImmediate(RSP, PT_REGS.CS, KERNEL_CS);
  a.storeImmediate(RSP, PT_REGS.SS, KERNEL_DS);
  callHandler(a, FRAME_BYTES + FLAGS_BYTES, loadOps);
  a.load(RAX, RSP, PT_REGS.RIP);
  a.store(RSP, FRAME_BYTES + FLAGS_BYTES, RAX);
  restore(a, [...OTHERS, FRAME_POINTER]);
  if (direct !== 'ignored') {
    a.load(RAX, RSP, PT_REGS.ORIG_RAX);
    a.test(RAX);
    a.jumpIfNonzeroNear('direct');
  }
  a.label('plain return');
  a.load(RAX, RSP, PT_REGS.EFLAGS);
  a.store(RSP, FRAME_BYTES, RAX);
  restore(a, ARGUMENTS);
  a.add(RSP, FRAME_BYTES);
  a.popFlags();
  a.ret();
  a.int3();
  if (direct !== 'ignored') emitDirect(a, direct);
}

/** The call of the handler; the return address into the traced function is `above` bytes above the frame. */
function callHandler(a: Assembler, above: number, loadOps: (a: Assembler) => void): void {
  a.storeImmediate(RSP, PT_REGS.ORIG_RAX, 0);
  a.load(RDI, RSP, above);
  a.store(RSP, PT_REGS.RIP, RDI);
  a.sub(RDI, SITE_BYTES);
  a.load(RSI, RSP, above + 8);
  a.lea(RAX, RSP, above + 8);
  a.store(RSP, PT_REGS.RSP, RAX);
  loadOps(a);
  a.mov(RCX, RSP);
  a.label(INNER_CALL);
  a.call(HANDLER);
}

/**
 * The direct call, its address in `rax`. No register is free for it, so it is made by a return: the address takes the
 * place of the flags, and these move down into the frame's last word, to be popped from there.
 *
 * ```text
 *   +176   return address into the traced function, or a replacement's start
 *   +168   flags    ->  direct address
 *   +160   SS       ->  flags              <- rsp before popfq
 * ```
 *
 * A trampoline that is jumped to takes the place of the traced function: it is entered by the plain return.
 */
function emitDirect(a: Assembler, direct: Direct): void {
  a.label('direct');
  if (direct === 'called or jumped to') {
    a.mov(RDX, RAX);
    a.and(RDX, 1);
    a.jumpIfNonzeroNear('jumped to');
  }
  a.store(RSP, FRAME_BYTES, RAX);
  a.load(RAX, RSP, PT_REGS.EFLAGS);
  a.store(RSP, PT_REGS.SS, RAX);
  restore(a, ARGUMENTS);
  a.add(RSP, PT_REGS.SS);
  a.popFlags();
  a.ret();
  a.int3();
  if (direct !== 'called or jumped to') return;
  a.label('jumped to');
  a.and(RAX, -2);
  a.store(RSP, FRAME_BYTES + FLAGS_BYTES, RAX);
  a.jump('plain return');
}

import type { Assembler } from '../../x86/assemble.ts';
import { RAX, RBP, RDI, RDX, RSP } from '../../x86/register.ts';
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

/**
 * return_to_handler, arch/x86/kernel/ftrace_64.S: what a function that the function graph tracer follows returns to.
 * The word that its `ret` took becomes the place of the real return address, which the handler knows.
 *
 * ```text
 *   +176   the caller's stack, as after the return of the traced function
 *   +168   return address into the caller
 *   +0     struct pt_regs: rax, rdx, rbp, rsp               <- rsp
 * ```
 */
export function emitReturnToHandler(a: Assembler): void {
  a.lea(RSP, RSP, -(FRAME_BYTES + 8));
  a.store(RSP, PT_REGS.RAX, RAX);
  a.store(RSP, PT_REGS.RDX, RDX);
  a.store(RSP, PT_REGS.RBP, RBP);
  a.lea(RAX, RSP, FRAME_BYTES + 8);
  a.store(RSP, PT_REGS.RSP, RAX);
  a.mov(RDI, RSP);
  a.call('ftrace_return_to_handler');
  a.store(RSP, FRAME_BYTES, RAX);
  a.load(RDX, RSP, PT_REGS.RDX);
  a.load(RAX, RSP, PT_REGS.RAX);
  a.lea(RSP, RSP, FRAME_BYTES);
  a.ret();
  a.int3();
}

/**
 * arch_rethook_trampoline, arch/x86/kernel/rethook.c: the same for kretprobes and rethooks, whose handlers get all
 * registers. Where the kernel lets the handler write the return address into the word above the flags, ours answers
 * with it. Until then that word is this trampoline's own address, written again: it was below the stack pointer, where
 * an interrupt leaves nothing as it was.
 */
export function emitRethookTrampoline(a: Assembler): void {
  emitFullReturn(a, 'arch_rethook_trampoline', 'arch_rethook_trampoline_callback');
}

/** return_to_handler for kretprobes as well (`kretprobe = ret_stack`), whose handlers get all registers. */
export function emitFullReturnToHandler(a: Assembler): void {
  emitFullReturn(a, 'return_to_handler', 'ftrace_return_to_handler');
}

/**
 * The frame is laid out as at an entry, with one word more above the flags for the return address. `ORIG_RAX` is
 * −1, as for an interrupt.
 */
function emitFullReturn(a: Assembler, own: string, handler: string): void {
  a.lea(RSP, RSP, -8);
  a.pushFlags();
  a.sub(RSP, FRAME_BYTES);
  save(a, [...ARGUMENTS, ...OTHERS, FRAME_POINTER, SCRATCH]);
  a.load(RAX, RSP, FRAME_BYTES);
  a.store(RSP, PT_REGS.EFLAGS, RAX);
  a.loadSymbol(RAX, own);
  a.store(RSP, PT_REGS.RIP, RAX);
  a.store(RSP, FRAME_BYTES + 8, RAX);
  a.lea(RAX, RSP, FRAME_BYTES + 16);
  a.store(RSP, PT_REGS.RSP, RAX);
  a.storeImmediate(RSP, PT_REGS.ORIG_RAX, -1);
  a.storeImmediate(RSP, PT_REGS.CS, KERNEL_CS);
  a.storeImmediate(RSP, PT_REGS.SS, KERNEL_DS);
  a.mov(RDI, RSP);
  a.call(handler);
  a.store(RSP, FRAME_BYTES + 8, RAX);
  a.load(RAX, RSP, PT_REGS.EFLAGS);
  a.store(RSP, FRAME_BYTES, RAX);
  restore(a, [...ARGUMENTS, ...OTHERS, FRAME_POINTER, SCRATCH]);
  a.add(RSP, FRAME_BYTES);
  a.popFlags();
  a.ret();
  a.int3();
}

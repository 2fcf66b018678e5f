import type { Assembler } from '../../x86/assemble.ts';
import type { Reg } from '../../x86/register.ts';
import {
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
  R15,
  RAX,
  RBP,
  RBX,
  RCX,
  RDI,
  RDX,
  RSI,
  RSP,
} from '../../x86/register.ts';

/**
 * Offsets in `struct pt_regs` in bytes (arch/x86/include/asm/ptrace.h): what entry code builds on the stack and a
 * handler gets a pointer to. `RSP` is what the traced function was entered with: it points at its return address.
 *
 * ```text
 *   +176   return address into the caller ("parent")     +184 after saved flags
 *   +168   return address into the traced function       +176 after saved flags
 *   +0     struct pt_regs                                <- rsp, rcx of the handler
 * ```
 */
export const PT_REGS = {
  R15: 0,
  R14: 8,
  R13: 16,
  R12: 24,
  RBP: 32,
  RBX: 40,
  R11: 48,
  R10: 56,
  R9: 64,
  R8: 72,
  RAX: 80,
  RCX: 88,
  RDX: 96,
  RSI: 104,
  RDI: 112,
  ORIG_RAX: 120,
  RIP: 128,
  CS: 136,
  EFLAGS: 144,
  RSP: 152,
  SS: 160,
} as const;

/** `sizeof(struct pt_regs)`. */
export const FRAME_BYTES = 168;

/** `__KERNEL_CS` in a frame says that it holds all registers, zero that it holds only the arguments. */
export const KERNEL_CS = 0x10;
export const KERNEL_DS = 0x18;

/** A register, and where a frame keeps it. */
type Kept = readonly [reg: Reg, at: number];

/** What a function call may bring: the six argument registers, and `rax` for variadic functions. */
export const ARGUMENTS: readonly Kept[] = [
  [RAX, PT_REGS.RAX],
  [RDI, PT_REGS.RDI],
  [RSI, PT_REGS.RSI],
  [RDX, PT_REGS.RDX],
  [RCX, PT_REGS.RCX],
  [R8, PT_REGS.R8],
  [R9, PT_REGS.R9],
];

/** What a handler that wants registers may set besides. */
export const OTHERS: readonly Kept[] = [
  [RBX, PT_REGS.RBX],
  [R10, PT_REGS.R10],
  [R12, PT_REGS.R12],
  [R13, PT_REGS.R13],
  [R14, PT_REGS.R14],
  [R15, PT_REGS.R15],
];

/** `rbp` and `r11`, which the two forms of the frame treat differently. */
export const FRAME_POINTER: Kept = [RBP, PT_REGS.RBP];
export const SCRATCH: Kept = [R11, PT_REGS.R11];

/** Writes registers into the frame at the stack pointer. */
export function save(a: Assembler, kept: readonly Kept[]): void {
  for (const [reg, offset] of kept) a.store(RSP, offset, reg);
}

/** The registers may have been changed in the frame by the handler. */
export function restore(a: Assembler, kept: readonly Kept[]): void {
  for (const [reg, offset] of kept) a.load(reg, RSP, offset);
}

import type { Profile } from '../core/profile.ts';
import type { BpfProgram } from './program.ts';

/*
 * The flags of an image, derived from its programs in every update. Two of them outlive an update.
 *
 * ```text
 *   programs           live patch   6.1, 6.12                               7.2
 *   entry only         any          RESTORE_REGS                            the same
 *   any other          no           CALL_ORIG | SKIP_FRAME                  CALL_ORIG (entered by jmp)
 *   any other          yes          CALL_ORIG | SKIP_FRAME | ORIG_STACK     the same
 * ```
 */

/** `BPF_TRAMP_F_*`, include/linux/bpf.h. */
export interface Flags {
  /** Restore the argument registers before returning into the traced function. */
  readonly RESTORE_REGS: boolean;
  /** Call the traced function's body from the image. */
  readonly CALL_ORIG: boolean;
  /** Return past the traced function to its caller. */
  readonly SKIP_FRAME: boolean;
  /** Leave the traced function's address where bpf_get_func_ip() finds it. */
  readonly IP_ARG: boolean;
  /** Call the original through the return address on the stack: a live patch may have redirected it. */
  readonly ORIG_STACK: boolean;
  readonly SHARE_IPMODIFY: boolean;
  /** Preserve the tail-call counter (`rax`). */
  readonly TAIL_CALL_CTX: boolean;
}

/** The two flags that bpf_trampoline_update() keeps. */
export interface StickyFlags {
  readonly shareIpmodify: boolean;
  readonly tailCallCtx: boolean;
}

/**
 * bpf_trampoline_update(), kernel/bpf/trampoline.c. RESTORE_REGS and SKIP_FRAME exclude each other: an image
 * either returns into the function or past it.
 */
export function chooseFlags(profile: Profile, programs: readonly BpfProgram[], sticky: StickyFlags): Flags {
  const callOrig = programs.some(({ kind }) => kind !== 'fentry');
  const origStack = callOrig && sticky.shareIpmodify;
  return {
    RESTORE_REGS: !callOrig,
    CALL_ORIG: callOrig,
    SKIP_FRAME: callOrig && (origStack || !profile.jmpEntry),
    IP_ARG: programs.some(({ getFuncIp }) => getFuncIp),
    ORIG_STACK: origStack,
    SHARE_IPMODIFY: sticky.shareIpmodify,
    TAIL_CALL_CTX: sticky.tailCallCtx,
  };
}

/** bpf_trampoline_use_jmp(): without a return address into the function there is no frame to skip. */
export function enteredByJmp(flags: Flags): boolean {
  return flags.CALL_ORIG && !flags.SKIP_FRAME;
}

/** `CALL_ORIG | SKIP_FRAME`, in the order of the kernel's bits. */
export function printFlags(flags: Flags): string {
  return Object.entries(flags)
    .filter(([, on]) => on)
    .map(([name]) => name)
    .join(' | ');
}

import type { Profile } from '../core/profile.ts';
import type { BpfProgram } from './program.ts';
import { isOfMember } from './program.ts';
import type { Signature } from './signature.ts';

/*
 * The flags of an image, derived from its programs in every update. Two of them outlive an update. The image of a
 * struct_ops member has flags of its own, which its return value decides.
 *
 * ```text
 *   programs           live patch   6.1, 6.12                               7.2
 *   entry only         any          RESTORE_REGS                            the same
 *   any other          no           CALL_ORIG | SKIP_FRAME                  CALL_ORIG (entered by jmp)
 *   any other          yes          CALL_ORIG | SKIP_FRAME | ORIG_STACK     the same
 *
 *   of a member that returns        6.1                                     6.12, 7.2
 *   a value                         RET_FENTRY_RET                          INDIRECT | RET_FENTRY_RET
 *   nothing                         –                                       INDIRECT
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

/** The flags of an image: those of its trampoline, or those of a struct_ops member, which has none. */
export interface ImageFlags extends Flags {
  /** The caller gets the return value of the fentry program. */
  readonly RET_FENTRY_RET?: boolean;
  /** The image is called through a pointer, not from a call site. */
  readonly INDIRECT?: boolean;
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

/** The flags of the image that a request asks for. */
export function imageFlags({ profile, programs, sticky, signature }: FlagsRequest): ImageFlags {
  return isOfMember(programs) ? memberFlags(profile, signature) : chooseFlags(profile, programs, sticky);
}

interface FlagsRequest {
  readonly profile: Profile;
  readonly programs: readonly BpfProgram[];
  readonly sticky: StickyFlags;
  readonly signature: Signature;
}

/**
 * bpf_struct_ops_prepare_trampoline(), kernel/bpf/bpf_struct_ops.c. Kernels whose images all start with `endbr64` do not
 * tell those that are called through a pointer.
 */
function memberFlags({ endbrInImage }: Profile, { ret }: Signature): ImageFlags {
  return { ...NO_FLAGS, RET_FENTRY_RET: ret.size > 0, INDIRECT: !endbrInImage };
}

/** No flag is set. */
export const NO_FLAGS: Flags = {
  RESTORE_REGS: false,
  CALL_ORIG: false,
  SKIP_FRAME: false,
  IP_ARG: false,
  ORIG_STACK: false,
  SHARE_IPMODIFY: false,
  TAIL_CALL_CTX: false,
};

/** bpf_trampoline_use_jmp(): without a return address into the function there is no frame to skip. */
export function enteredByJmp(flags: Flags): boolean {
  return flags.CALL_ORIG && !flags.SKIP_FRAME;
}

/** `CALL_ORIG | SKIP_FRAME`, in the order of the kernel's bits. */
export function printFlags(flags: ImageFlags): string {
  return Object.entries(flags)
    .filter(([, on]) => on)
    .map(([name]) => name)
    .join(' | ');
}

import type { Profile } from '../core/profile.ts';
import type { BpfProgram } from './program.ts';

/** What an image is asked to do (`BPF_TRAMP_F_*`, include/linux/bpf.h); the names are the kernel's. */
export interface Flags {
  /** Put the argument registers back before returning into the traced function. */
  readonly RESTORE_REGS: boolean;
  /** Call the traced function's body from the image. */
  readonly CALL_ORIG: boolean;
  /** Return past the traced function to its caller. */
  readonly SKIP_FRAME: boolean;
  /** Leave the traced function's address where bpf_get_func_ip() finds it. */
  readonly IP_ARG: boolean;
  /** Call the body at the return address that stands on the stack: a live patch may have redirected it. */
  readonly ORIG_STACK: boolean;
  readonly SHARE_IPMODIFY: boolean;
  /** Carry the tail-call counter (`rax`) through. */
  readonly TAIL_CALL_CTX: boolean;
}

/** The two flags that outlive an update (bpf_trampoline_update() keeps only them). */
export interface StickyFlags {
  readonly shareIpmodify: boolean;
  readonly tailCallCtx: boolean;
}

/** The flags that an update chooses, bpf_trampoline_update(), kernel/bpf/trampoline.c. */
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

/** Whether the site enters the image by `jmp` (bpf_trampoline_use_jmp()). */
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

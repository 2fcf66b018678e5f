import type { ArgumentSlot } from '../abi/x86-64.ts';
import { ARGUMENT_REGISTERS } from '../abi/x86-64.ts';
import type { Profile } from '../core/profile.ts';
import type { Flags, ImageFlags } from './flags.ts';
import { enteredByJmp } from './flags.ts';
import type { ProgramLists } from './program.ts';

/**
 * The stack frame of an image. Offsets are from `rbp`, in bytes; a part that is absent is undefined.
 *
 * ```text
 *   +24 …              the caller's stack arguments (+16 when the image was entered by jmp)
 *   +16                return to the caller          (absent when entered by jmp)
 *   +8                 return into the traced function, or to the caller when entered by jmp
 *   +0                 saved rbp
 *   returnAt           return value, −8              CALL_ORIG or RET_FENTRY_RET
 *   argsAt             ctx[0] … ctx[slots−1], upward; the return value is ctx[slots]
 *   metaAt             ctx[−1]: number of argument words
 *   ipAt               ctx[−2]: address of the traced function      IP_ARG
 *   sessionCookiesAt   one word for each session that asks for one
 *   rbxAt              saved rbx                     (pushed below the frame on 6.1)
 *   runCtxAt           struct bpf_tramp_run_ctx: cookie, saved run context
 *   stackArgsAt        the original's stack arguments, at rsp       CALL_ORIG and more than six words
 *   −bytes             rsp
 *   tailCallAt         pushed rax                    TAIL_CALL_CTX
 * ```
 */
export interface ImageFrame {
  /** Bytes that the image subtracts from `rsp`. */
  readonly bytes: number;
  /** Words of arguments, and how many of them the caller passes on the stack. */
  readonly slots: number;
  readonly stackSlots: number;
  readonly returnAt: number | undefined;
  readonly argsAt: number;
  readonly metaAt: number;
  readonly ipAt: number | undefined;
  readonly sessionCookiesAt: number;
  readonly sessionCookies: number;
  readonly rbxAt: number | undefined;
  readonly runCtxAt: number;
  readonly stackArgsAt: number | undefined;
  readonly tailCallAt: number | undefined;
  /** Offset of the first of the caller's stack arguments. */
  readonly callerStackAt: number;
}

/** `sizeof(struct bpf_tramp_run_ctx)`. */
const RUN_CTX_BYTES = 16;

/** Builds the frame top-down, as arch_prepare_bpf_trampoline() does (arch/x86/net/bpf_jit_comp.c). */
export function layOutFrame(
  profile: Profile,
  words: readonly ArgumentSlot[],
  flags: ImageFlags,
  lists: ProgramLists,
): ImageFrame {
  const slots = words.length;
  const stackSlots = words.filter(({ place }) => place.in === 'stack').length;
  const sessionCookies = lists.fentry.filter(({ sessionCookie }) => sessionCookie).length;
  let size = 0;
  // Not by a minus sign: minus zero is a number of another representation, and slows every item down.
  const take = (bytes: number) => 0 - (size += bytes);
  const returnAt = keepsReturn(flags) ? take(8) : undefined;
  const argsAt = take(8 * slots);
  const metaAt = take(8);
  const ipAt = flags.IP_ARG ? take(8) : undefined;
  const sessionCookiesAt = take(8 * sessionCookies);
  const rbxAt = profile.rbxSaved === 'in frame' ? take(8) : undefined;
  const runCtxAt = take(RUN_CTX_BYTES);
  const copies = flags.CALL_ORIG && slots > ARGUMENT_REGISTERS.length;
  if (copies) take(8 * stackSlots);
  if (copies) take(padding(size, flags));
  return {
    bytes: size,
    slots,
    stackSlots,
    returnAt,
    argsAt,
    metaAt,
    ipAt,
    sessionCookiesAt,
    sessionCookies,
    rbxAt,
    runCtxAt,
    stackArgsAt: copies ? -size : undefined,
    tailCallAt: flags.TAIL_CALL_CTX ? -size - 8 : undefined,
    callerStackAt:
      enteredByJmp(flags) || (flags.INDIRECT && profile.memberArgsAbove === 'the caller') ? 16 : 24,
  };
}

/** `save_ret`: the image returns a value of its own. */
export function keepsReturn({ CALL_ORIG, RET_FENTRY_RET }: ImageFlags): boolean {
  return CALL_ORIG || RET_FENTRY_RET === true;
}

/** Where an image that calls the original, or replaces it, keeps the return value. */
export function returnPlace({ returnAt }: ImageFrame): number {
  if (returnAt === undefined)
    throw new Error('an image that does not call the original keeps no return value');
  return returnAt;
}

/**
 * Bytes that align `rsp` to 16 at the call of the original. Above the frame stand `rbp` and one return address
 * (jmp) or two (call), so the frame has to be a multiple of 16, or 8 off it.
 */
function padding(size: number, flags: Flags): number {
  const aligned = size % 16 === 0;
  return enteredByJmp(flags) === aligned ? 0 : 8;
}

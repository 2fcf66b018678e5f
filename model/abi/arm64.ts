import type { Profile } from '../core/profile.ts';
import type { Argument, ArgumentSlot, Convention } from './slots.ts';
import { assignSlots, wordsOf } from './slots.ts';

/**
 * Where the procedure call standard puts arguments on arm64 (AAPCS64, section 6.8.2, stages B and C), for integers,
 * pointers and structs.
 *
 * What does not fit into the registers that are left goes to the stack and closes them, so that nothing is filled in
 * after it. `__int128` starts at an even register, and on the stack at a multiple of 16:
 *
 *   f(u64 a, u128 b, u64 c, u64 d, u64 e, s16b f, u64 g)
 *     a x0 · b x2, x3 · c x4 · d x5 · e x6 · f stack 0, stack 1 · g stack 2
 */
export const ARM64: Convention = {
  wordBytes: 8,
  registers: 8,
  wordsMost: 2,
  whatIsLeft: 'closed',
  alignedIn: { registers: true, stack: true },
};

/** The same as the generator of images has it: nothing is aligned. */
const GENERATOR: Convention = { ...ARM64, alignedIn: { registers: false, stack: false } };

/** The property that the generator checks: whether an argument is a struct. */
interface Passed extends Argument {
  readonly struct: boolean;
}

/**
 * Where `prepare_trampoline()`, arch/arm64/net/bpf_jit_comp.c, looks for the words, or the errno of an image that it does
 * not make. Up to 6.12 it stores one register for each word that it counts: of a struct all of its words, of anything else one;
 * later calc_arg_aux() lets what does not fit close the registers, and its words are copied from the caller's stack.
 */
export function arm64ImageSlots(args: readonly Passed[], profile: Profile): ArgumentSlot[] | 'ENOTSUPP' {
  const { arm64Arguments } = profile;
  if (arm64Arguments === 'registers and stack') return assignSlots(args, GENERATOR);
  if (arm64Arguments === 'registers without structs' && args.some(({ struct }) => struct)) return 'ENOTSUPP';
  const counted = args.map((type) => (type.struct ? type : { ...type, size: Math.min(8, type.size) }));
  const words = counted.reduce((sum, { size }) => sum + wordsOf(size, 8), 0);
  return words > ARM64.registers ? 'ENOTSUPP' : assignSlots(counted, GENERATOR);
}

/*
 * Designs that do some things as the kernel does, and show what is wrong with those: not always where the kernel does, for
 * a link or a kprobe is refused that single links would let in, or the functions of a link come in another order.
 */

/** Links are direct calls of images: these are put, and the ops of a function is freed, as the kernel does. */
export const WITH_DIRECT_CALLS = [
  'batch',
  'generic',
  'generic with fixed slot',
  'generic with helpers',
  'splitting',
  'multi ids',
  'program sets',
] as const;

/** A function that no other has the programs of has a trampoline as single links make them. */
export const WITH_SINGLE_TRAMPOLINES = ['splitting', 'program sets'] as const;

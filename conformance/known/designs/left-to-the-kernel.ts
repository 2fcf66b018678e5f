/*
 * Designs that share the kernel's behaviour in some respects, and its bugs there: not always where the kernel shows
 * them, because a link or a kprobe is refused that single links would accept, or the functions of a link are in
 * another order.
 */

/** Links are direct calls of images: these are put, and the ops of a function is freed, as in the kernel. */
export const WITH_DIRECT_CALLS = [
  'batch',
  'generic',
  'generic with fixed slot',
  'generic with helpers',
  'splitting',
  'multi ids',
  'program sets',
] as const;

/** Links are no users of function graph. */
export const WITHOUT_GRAPH_LINKS = [
  ...WITH_DIRECT_CALLS,
  'global',
  'global int in rax',
  'global padding',
] as const;

/** The defect concerns no link: every design leaves it to the kernel. */
export const WHATEVER_THE_LINKS = [...WITHOUT_GRAPH_LINKS, 'function graph'] as const;

/** Direct calls that register_ftrace_direct() does not know to share with an IPMODIFY ops, in kernels since 7.2. */
export const WITHOUT_SHARING = [
  'generic',
  'generic with fixed slot',
  'generic with helpers',
  'splitting',
  'program sets',
] as const;

/** As `WHATEVER_THE_LINKS`, of the designs that run on 7.2. */
export const WHATEVER_THE_LINKS_OF_7_2 = [...WITHOUT_SHARING, 'function graph'] as const;

/** A function that shares its programs with no other has a trampoline as single links create it. */
export const WITH_SINGLE_TRAMPOLINES = ['splitting', 'program sets'] as const;

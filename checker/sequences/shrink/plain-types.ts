/** The types that are plain enough, the plainest first; all others come after them. */
export const PLAIN_TYPES: readonly string[] = ['u64 -> u64', 'u64 x7 -> u64'];

/** The depth of recursion that has to be tried. */
export const DEPTHS: readonly number[] = [0, 1, 2];

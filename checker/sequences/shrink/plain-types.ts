/** The types that are plain enough, the plainest first; all others come after them. */
export const PLAIN_TYPES: readonly string[] = ['u64 -> u64', 'u64 x7 -> u64'];

/** How deep a function calls itself that does, as far as it has to be tried. */
export const DEPTHS: readonly number[] = [0, 1, 2];

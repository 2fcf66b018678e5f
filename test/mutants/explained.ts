/**
 * Survivors that no law has to kill, and why: an equivalent mutant, or a fault that no client can observe. A survivor
 * that is not listed here is a hole in the laws or in the draws.
 */
export const EXPLAINED: Readonly<Record<string, string>> = {};

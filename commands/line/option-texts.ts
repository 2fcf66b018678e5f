/** Options of every search for what happens to new counterexamples. */
export const SAVE = 'directory for new counterexamples (default: attachcheck-results)';
export const NO_SAVE = 'do not save new counterexamples';

/** The effect of `--verbose` in every command that checks laws. */
export const VERBOSE = 'print every law with how often it was exercised, and every known bug that was met';
export const SHARD = 'work on the i-th of n parts alone, and write its result for merge';
export const SHARD_FILE = 'write that result there (default: attachcheck-3-of-16.json)';

/** The page of a command whose answer is a table. */
export const HTML = 'write the tables as a page to this file as well';

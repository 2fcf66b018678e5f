import { existsSync } from 'node:fs';

/** A word of the command line that may be something else is the name of a file when it looks like one, or is one. */
export function isFile(word: string): boolean {
  return /[./]/.test(word) || existsSync(word);
}

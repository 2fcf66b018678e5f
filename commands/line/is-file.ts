import { existsSync } from 'node:fs';

/** An ambiguous word of the command line is the name of a file when it looks like one, or is one. */
export function isFile(word: string): boolean {
  return /[./]/.test(word) || existsSync(word);
}

import { readLines } from '../../conformance/files.ts';
import { renamedIn } from '../../counterexamples/former-names.ts';

/** A file that holds a trace, or a user's program: its name and its content. */
export interface NamedTrace {
  readonly path: string;
  readonly text: string;
}

/** Reads it; names that have changed are reported on stderr. An InputError names the file that cannot be read. */
export function readTrace(path: string): NamedTrace {
  const text = readLines(path);
  for (const note of renamedIn(text)) process.stderr.write(`${path}: ${note}\n`);
  return { path, text };
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../conformance/files.ts';
import { loadedModules } from './own-modules.ts';
import { TOP } from './project.ts';

const SOURCES = [
  'api',
  'checker',
  'commands',
  'conformance',
  'counterexamples',
  'kernels',
  'model',
  'properties',
];

let known: string | undefined;

/** SHA-256 of the code that a run executes: the program, and the files that `--with` names, which are loaded first. */
export function codeDigest(): string {
  known ??= digest();
  return known;
}

function digest(): string {
  const own = import.meta.filename.endsWith('.ts')
    ? SOURCES.flatMap((folder) => filesBelow(TOP, folder, '.ts')).filter((file) => !file.endsWith('.test.ts'))
    : filesBelow(TOP, 'dist', '.js');
  const hash = createHash('sha256');
  for (const file of [...own.map((path) => join(TOP, path)), ...loadedModules()]) {
    const content = readFileSync(file);
    hash.update(`${file.slice(TOP.length)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

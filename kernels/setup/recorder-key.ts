import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE, GUEST_TRACEPOINTS } from '../catalogue.ts';
import { GUEST } from './build.ts';
import { functionsInC } from './functions-in-c.ts';

/*
 * A recorder that is kept belongs to the sources that it was built from: one of other sources answers lines that it does
 * not know with ENOSYS, which would be taken for an answer of the kernel.
 */

/** The sources of the recorder in one word: what is copied, and what is generated. */
export function recorderKey(): string {
  return keyOf([...sourcesOf(GUEST), JSON.stringify(functionsInC(CATALOGUE, GUEST_TRACEPOINTS))].join('\n'));
}

/** Puts down what a recorder in a folder was built from. */
export function noteRecorder(folder: string): void {
  writeFileSync(join(folder, 'sources'), `${recorderKey()}\n`);
}

/** Whether the recorder in a folder is that of the sources. */
export function isOfSources(folder: string): boolean {
  const file = join(folder, 'sources');
  return existsSync(file) && readFileSync(file, 'latin1').trim() === recorderKey();
}

export function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sourcesOf(path) : [`${entry.name} ${keyOf(readFileSync(path, 'latin1'))}`];
    });
}

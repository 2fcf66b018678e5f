import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TOP } from './sources.ts';

/** For tests: machines whose files were captured. */
export const MACHINES = join(TOP, 'commands/why/here/machines');

/** A copy of a captured machine in a folder of its own, with other files; undefined: the file is removed. */
export function changed(
  root: string,
  machine: string,
  files: Readonly<Record<string, string | undefined>>,
): string {
  rmSync(root, { recursive: true, force: true });
  cpSync(join(MACHINES, machine), root, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path);
    rmSync(file, { recursive: true, force: true });
    if (text === undefined) continue;
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  return root;
}

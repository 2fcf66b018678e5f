import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file whole or not at all: until then its former content stays. Throws the error of the system. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const unfinished = `${path}.new`;
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, content, { flag: 'wx', flush: true });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

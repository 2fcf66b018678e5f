import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder for the files of the tests that ask for it, which goes with the last of them. */
export function scratch(): {
  /** Where a file of it is, or will be. */
  readonly path: (name: string) => string;
  /** Writes a file, and gives its path. */
  readonly file: (name: string, content: string | Uint8Array) => string;
} {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'attachcheck-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(path(name), content);
    return path(name);
  };
  return { path, file };
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../../model/core/input-error.ts';

/** The answers to a user that is not root; EPERM is also that of a kernel in lockdown. */
const FORBIDDEN: readonly string[] = ['EACCES', 'EPERM'];
const ABSENT: readonly string[] = ['ENOENT', 'ENOTDIR'];

/** The files of a machine: the running one, whose folder is `/`, or another, whose files were copied below a folder. */
export class MachineFiles {
  constructor(
    /** The folder, as the command line names it. */
    readonly root: string,
  ) {}

  /** It is the machine itself, and no copy: its programs can be run. */
  get isRunning(): boolean {
    return this.root === '/';
  }

  /** The path of a file, as a sentence names it. */
  path(name: string): string {
    return join(this.root, name);
  }

  /** The text of a file; undefined: there is none. An InputError says that it may not be read. */
  read(name: string): string | undefined {
    const path = this.path(name);
    return orAbsent(path, () => readFileSync(path, 'utf8'));
  }

  /** The names in a folder, in alphabetical order; none, if there is no such folder. */
  names(folder: string): readonly string[] {
    const path = this.path(folder);
    return orAbsent(path, () => readdirSync(path).toSorted()) ?? [];
  }
}

function orAbsent<T>(path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (ABSENT.includes(code)) return undefined;
    if (FORBIDDEN.includes(code))
      throw new InputError(
        `${path}: it may not be read (${code}): root may, unless the kernel is in lockdown`,
      );
    throw code === '' ? error : new InputError(`${path}: it cannot be read: ${code}`);
  }
}

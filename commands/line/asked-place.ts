import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '../../model/core/input-error.ts';

/** Throws an InputError for a file that an option asks for, and that cannot be there. */
export function requirePlace(option: string, file: string): void {
  if (!existsSync(dirname(file))) throw new InputError(`${option} ${file}: there is no ${dirname(file)}`);
  if (existsSync(file) && statSync(file).isDirectory())
    throw new InputError(`${option} ${file}: it is a directory`);
}

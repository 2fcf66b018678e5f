import { loadedModules } from '../line/own-modules.ts';

/** The names that values may have; a value without names is a number, a file, or the user's own. */
export interface CompletedNames {
  /** By an option of a command, `explore law`, or of all commands, `designs`. */
  readonly options: Readonly<Record<string, readonly string[]>>;
  /** By the command that the argument is of. */
  readonly arguments: Readonly<Record<string, readonly string[]>>;
}

/**
 * A shell asks for its completion at every start: the names are those of a table that was written beforehand. Only
 * what the user's modules add is in the lists alone.
 */
export async function completedNames(): Promise<CompletedNames> {
  return loadedModules().length === 0
    ? (await import('./own-names.ts')).OWN_NAMES
    : (await import('./listed-names.ts')).listedNames();
}

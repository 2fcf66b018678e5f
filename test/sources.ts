import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The top of the project. */
export const TOP = dirname(import.meta.dirname);

/** A text file by its path from the top of the project, with `/` between its parts. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

const NOT_OURS = ['node_modules', 'dist', 'build', '.git', 'attachcheck-results'];

/** Paths of all files, and texts of those that were asked for: tests of one process read each once. */
let paths: readonly string[] | undefined;
const TEXTS = new Map<string, string>();

/** All files of the project whose names end in one of `endings`, in order of path. */
export function sources(...endings: string[]): Source[] {
  paths ??= pathsBelow('').sort();
  return paths
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path, text: textOf(path) }));
}

function pathsBelow(folder: string): string[] {
  return readdirSync(join(TOP, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : pathsBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

function textOf(path: string): string {
  const text = TEXTS.get(path) ?? readFileSync(join(TOP, path), 'utf8');
  TEXTS.set(path, text);
  return text;
}

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

/** All files of the project whose names end in one of `endings`, in order of path. */
export function sources(...endings: string[]): Source[] {
  const paths: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(TOP, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !NOT_OURS.includes(entry.name)) visit(path);
      else if (entry.isFile() && endings.some((ending) => path.endsWith(ending))) paths.push(path);
    }
  };
  visit('');
  return paths.sort().map((path) => ({ path, text: readFileSync(join(TOP, path), 'utf8') }));
}

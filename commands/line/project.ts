import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The top of the project, wherever this file was compiled to. */
export const TOP = topAbove(import.meta.dirname);

function topAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error('there is no package.json above the program');
  return topAbove(above);
}

/** The version that package.json has. */
export function version(): string {
  const { version: own }: { version: string } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
  return own;
}

/** A file of the project's recordings, from the directory where the command line was started. */
export function recording(name: string): string {
  return fromHere(`conformance/recordings/${name}`);
}

/** A path of the project, from the directory where the command line was started. */
export function fromHere(path: string): string {
  return relative('', join(TOP, path));
}

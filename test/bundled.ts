import { rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import type { BundleStart, SourceBundle } from '../commands/program/source-bundle.ts';
import { bundleSources } from '../commands/program/source-bundle.ts';
import { TOP } from './sources.ts';

/** For a module, by its path from the top, the path of a file that replaces it. */
export type InPlaceOf = Readonly<Record<string, string>>;

/** Below the packages of the checkout, so that they are found. */
const FOLDER = join(TOP, 'node_modules/.cache/bundled');

let made = 0;

/**
 * Bundles a start of the project, and gives the path of the bundle; the caller removes it (`removeBundle()`). Workers start
 * from it if that is asked for, or if a file replaces a module: it replaces theirs as well.
 */
export async function bundled(
  start: BundleStart,
  {
    inPlaceOf = {},
    bundlesWorkers = Object.keys(inPlaceOf).length > 0,
    ...rest
  }: { readonly inPlaceOf?: InPlaceOf } & Partial<
    Pick<SourceBundle, 'bundlesWorkers' | 'rewritten' | 'first'>
  > = {},
): Promise<string> {
  const folder = join(FOLDER, `${process.pid}-${made++}`);
  return bundleSources({ start, folder, bundlesWorkers, plugins: inPlace(inPlaceOf), ...rest });
}

/** Removes a bundle with those of its workers. */
export function removeBundle(program: string): void {
  rmSync(dirname(program), { recursive: true });
}

/** The replacement of a module may import it. Imports that can be of none of the modules are left to esbuild. */
function inPlace(others: InPlaceOf): Plugin[] {
  const byPath = new Map(Object.entries(others).map(([module, file]) => [join(TOP, module), file]));
  if (byPath.size === 0) return [];
  const names = [...byPath.keys()].map((path) => basename(path).replaceAll('.', '\\.'));
  const filter = new RegExp(`^[./].*(?:${names.join('|')})$`);
  return [
    {
      name: 'in place',
      setup({ onResolve }) {
        onResolve({ filter }, ({ path, resolveDir, importer }) => {
          const other = byPath.get(resolve(resolveDir, path));
          return other === undefined || other === importer ? undefined : { path: other };
        });
      },
    },
  ];
}

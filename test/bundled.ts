import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { TOP } from './sources.ts';

/** For a module, by its path from the top, the path of a file that replaces it. */
export type InPlaceOf = Readonly<Record<string, string>>;

/** Below the packages of the checkout, so that they are found. */
const FOLDER = join(TOP, 'node_modules/.cache/bundled');

let made = 0;

/**
 * Bundles a module of the project, or code whose imports reach into it as `./…`, and gives the path of the bundle; the
 * caller removes it. A process starts from it in a fraction of the time that its thousand sources take. Each module in
 * it believes that it is where its source is; workers are started from the sources.
 */
export async function bundled(
  start: { readonly file: string } | { readonly code: string },
  inPlaceOf: InPlaceOf = {},
): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `${process.pid}-${made++}.mjs`);
  const entry =
    'file' in start
      ? { entryPoints: [join(TOP, start.file)] }
      : { stdin: { contents: start.code, resolveDir: TOP, loader: 'ts' as const } };
  await build({
    ...entry,
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    plugins: [inPlace(inPlaceOf), WHERE_THE_SOURCE_IS],
  });
  return outfile;
}

/** The replacement of a module may import it. */
function inPlace(others: InPlaceOf): Plugin {
  const byPath = new Map(Object.entries(others).map(([module, file]) => [join(TOP, module), file]));
  return {
    name: 'in place',
    setup({ onResolve }) {
      onResolve({ filter: /^[./]/ }, ({ path, resolveDir, importer }) => {
        const other = byPath.get(resolve(resolveDir, path));
        return other === undefined || other === importer ? undefined : { path: other };
      });
    },
  };
}

const WHERE_THE_SOURCE_IS: Plugin = {
  name: 'where the source is',
  setup({ onLoad }) {
    onLoad({ filter: /\.m?ts$/ }, ({ path }) => {
      const places = { dirname: dirname(path), filename: path, url: pathToFileURL(path).href };
      const contents = readFileSync(path, 'utf8').replace(
        /\bimport\.meta\.(dirname|filename|url)\b/g,
        (_, which: keyof typeof places) => JSON.stringify(places[which]),
      );
      return { contents, loader: 'ts' };
    });
  },
};

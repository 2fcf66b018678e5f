import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';
import { TOP } from './sources.ts';

/** For a module, by its path from the top, the path of a file that replaces it. */
export type InPlaceOf = Readonly<Record<string, string>>;

/** Below the packages of the checkout, so that they are found. */
const FOLDER = join(TOP, 'node_modules/.cache/bundled');

/** What becomes of the text of each module, by its path from the top, and code that the bundle begins with. */
export interface Rewritten {
  readonly text: (path: string, text: string) => string;
  readonly first: string;
}

/** The start of a process; one that starts workers in seconds from their sources starts them in a fraction from bundles. */
export type BundleStart = ({ readonly file: string } | { readonly code: string }) & {
  readonly bundlesWorkers?: true;
};

let made = 0;

/**
 * Bundles a module of the project, or code whose imports reach into it as `./…`, and gives the path of the bundle; the
 * caller removes it (`removeBundle()`). A process starts from it in a fraction of the time that its thousand sources take. Each module in
 * it believes that it is where its source is. Workers are started from the sources; where it is asked for, or a file
 * replaces a module, from bundles that have it as well, beside that of the process.
 */
export async function bundled(
  start: BundleStart,
  inPlaceOf: InPlaceOf = {},
  rewritten?: Rewritten,
): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const outfile = join(FOLDER, `${process.pid}-${made++}.mjs`);
  const bundlesWorkers = start.bundlesWorkers ?? Object.keys(inPlaceOf).length > 0;
  const plugins = [
    inPlace(inPlaceOf),
    whereTheSourceIs(bundlesWorkers ? workerFor : undefined, rewritten?.text),
  ];
  await bundle(start, outfile, plugins, rewritten?.first);
  return outfile;

  /** The bundle of a worker, beside that of the process. */
  async function workerFor(file: string): Promise<string> {
    const worker = `${outfile}.${basename(file, '.ts')}.mjs`;
    await bundle({ file }, worker, [inPlace(inPlaceOf), whereTheSourceIs(undefined)]);
    return worker;
  }
}

/** Removes a bundle with those of its workers. */
export function removeBundle(program: string): void {
  for (const name of readdirSync(dirname(program)))
    if (name.startsWith(basename(program))) rmSync(join(dirname(program), name));
}

async function bundle(start: BundleStart, outfile: string, plugins: Plugin[], first = ''): Promise<void> {
  const entry =
    'file' in start
      ? { entryPoints: [join(TOP, start.file)] }
      : { stdin: { contents: start.code, resolveDir: TOP, loader: 'ts' as const } };
  await build({
    ...entry,
    outfile,
    banner: { js: first },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    plugins,
  });
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

/** The start of a worker from the sources, and its module. */
const WORKER = /'\.\/from-sources\.mjs'(?= : '\.\/([a-z-]+)\.js')/;

/** Modules know where their sources are; a worker that they start runs the bundle that `workerFor` makes of it. */
function whereTheSourceIs(
  workerFor: ((file: string) => Promise<string>) | undefined,
  rewritten: Rewritten['text'] = (_, text) => text,
): Plugin {
  return {
    name: 'where the source is',
    setup({ onLoad }) {
      onLoad({ filter: /\.m?ts$/ }, async ({ path }) => {
        const places = { dirname: dirname(path), filename: path, url: pathToFileURL(path).href };
        const contents = rewritten(relative(TOP, path), readFileSync(path, 'utf8')).replace(
          /\bimport\.meta\.(dirname|filename|url)\b/g,
          (_, which: keyof typeof places) => JSON.stringify(places[which]),
        );
        const [start, name] = WORKER.exec(contents) ?? [];
        if (workerFor === undefined || start === undefined) return { contents, loader: 'ts' };
        const worker = await workerFor(relative(TOP, join(dirname(path), `${name}.ts`)));
        return {
          contents: contents.replace(start, () => JSON.stringify(pathToFileURL(worker).href)),
          loader: 'ts',
        };
      });
    },
  };
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { TOP } from '../line/project.ts';
import { BUNDLING, nameOf, WORKERS, withoutLexer } from './bundling.ts';
import { buildForThisNode } from './object-spread.ts';

/** What a process starts with: a module, by its path from the top, or code whose imports reach into the project as `./…`. */
export type BundleStart = { readonly file: string } | { readonly code: string };

export interface SourceBundle {
  readonly start: BundleStart;
  /** The bundle is written there. */
  readonly folder: string;
  /** Workers start from it as well; otherwise from the sources. */
  readonly bundlesWorkers: boolean;
  /** What becomes of the text of each module, by its path from the top. */
  readonly rewritten?: (path: string, text: string) => string;
  /** Code that it begins with, if workers do not start from it. */
  readonly first?: string;
  readonly plugins?: readonly Plugin[];
}

/**
 * Bundles modules of the sources as they are now, and gives the path of what a process starts with. It starts in a fraction
 * of the time that a thousand sources take. Each module in the bundle believes that it is where its source is. Throws
 * what esbuild finds wrong.
 */
export async function bundleSources(bundle: SourceBundle): Promise<string> {
  const { start, folder, bundlesWorkers, first = '', plugins = [] } = bundle;
  const workers = bundlesWorkers ? WORKERS.map((path) => `${path}.ts`) : [];
  const files = 'file' in start ? [start.file, ...workers] : workers;
  const made = await buildForThisNode({
    entryPoints: files.map((path) => ({ in: join(TOP, path), out: nameOf(path) })),
    ...('code' in start ? { stdin: { contents: start.code, resolveDir: TOP, loader: 'ts' as const } } : {}),
    outdir: folder,
    outExtension: { '.js': EXTENSION },
    banner: { js: first },
    ...BUNDLING,
    splitting: bundlesWorkers,
    sourcemap: true,
    sourcesContent: false,
    plugins: [...plugins, withoutLexer(), whereTheSourceIs(bundle)],
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of made) writeFileSync(path, text);
  return join(folder, ('file' in start ? nameOf(start.file) : 'stdin') + EXTENSION);
}

/** Below `node_modules` no package.json says what `.js` is. */
const EXTENSION = '.mjs';

/** The start of a worker from the sources, and the name of its module. */
const FROM_SOURCES = /'\.\/from-sources\.mjs'(?= : '\.\/([a-z-]+)\.js')/;

/** Modules know where their sources are, and pools that workers are in the bundle, all of which is in one folder. */
function whereTheSourceIs({ bundlesWorkers, rewritten = (_, text) => text }: SourceBundle): Plugin {
  return {
    name: 'where the source is',
    setup({ onLoad }) {
      onLoad({ filter: /\.m?ts$/ }, ({ path }) => {
        const places = {
          dirname: JSON.stringify(dirname(path)),
          filename: JSON.stringify(path),
          url: JSON.stringify(pathToFileURL(path).href),
        };
        const contents = rewritten(relative(TOP, path), readFileSync(path, 'utf8'))
          .replace(
            /\bimport\.meta\.(dirname|filename|url)\b/g,
            (_, which: keyof typeof places) => places[which],
          )
          .replace(FROM_SOURCES, (own, worker: string) =>
            bundlesWorkers ? `new URL('./${worker}${EXTENSION}', import.meta.url).href` : own,
          );
        return { contents, loader: 'ts' };
      });
    },
  };
}

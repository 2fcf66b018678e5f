import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { transform } from 'esbuild';
import { BUNDLING, nameOf, WORKERS, withoutLexer } from './bundling.ts';
import { buildForThisNode } from './object-spread.ts';

/** Where the bundle is, below the compiled form. */
const FOLDER = 'bundle';
const STARTS = ['main.js', 'library.js'];
const WORKER_STARTS = WORKERS.map((path) => `${path}.js`);
/** Not in the package. */
const BENCH = 'bench/run.js';
/** Commands that make pages need each module by itself: which of them a page has is decided by what they export. */
export const OF_MODULES = 'main-of-modules.js';

/**
 * Bundles the compiled form: a process reads some twenty files then, in place of a thousand, which halves its start. What
 * starts and what is imported stays at its path, and leads there; each module in the bundle believes that it is where it
 * was. It runs on every version of Node, and is quickest on the one that makes it. Throws what esbuild finds wrong.
 */
export async function bundleProgram(dist: string): Promise<void> {
  const imported = existsSync(join(dist, BENCH)) ? [...WORKER_STARTS, BENCH] : WORKER_STARTS;
  const made = await buildForThisNode({
    absWorkingDir: dist,
    entryPoints: Object.fromEntries([...STARTS, ...imported].map((path) => [nameOf(path), join(dist, path)])),
    outdir: join(dist, FOLDER),
    ...BUNDLING,
    splitting: true,
    plugins: [withoutLexer(), whereTheModuleIs(dist)],
  });
  mkdirSync(join(dist, FOLDER), { recursive: true });
  for (const { path, text } of made) {
    const { code } = await transform(text, { minifyWhitespace: true });
    writeFileSync(path, code);
  }
  writeFileSync(join(dist, OF_MODULES), readFileSync(join(dist, 'main.js')));
  writeFileSync(join(dist, 'main.js'), START);
  writeFileSync(join(dist, 'library.js'), `export * from './${FOLDER}/library.js';\n`);
  for (const path of imported)
    writeFileSync(join(dist, path), `import '${relative(dirname(path), `${FOLDER}/${nameOf(path)}.js`)}';\n`);
}

/** A page can have nothing of a user's modules, which the bundle refuses. */
const START = `#!/usr/bin/env node
const has = (option) => process.argv.some((word) => word === option || word.startsWith(option + '='));
const makesPage = has('--html') && !has('--with');
await import(makesPage ? './${OF_MODULES}' : './${FOLDER}/main.js');
`;

/** Modules know where they were compiled to. */
function whereTheModuleIs(dist: string): Plugin {
  return {
    name: 'where the module is',
    setup({ onLoad }) {
      onLoad({ filter: /\.js$/ }, ({ path, namespace }) => {
        if (namespace !== 'file' || !path.startsWith(dist)) return undefined;
        const url = `new URL('../${relative(dist, path)}', import.meta.url)`;
        const places = {
          url: `${url}.href`,
          filename: `process.getBuiltinModule('node:url').fileURLToPath(${url})`,
          dirname: `process.getBuiltinModule('node:url').fileURLToPath(new URL('.', ${url}).href.replace(/\\/$/, ''))`,
        };
        const contents = readFileSync(path, 'utf8').replace(
          /\bimport\.meta\.(dirname|filename|url)\b/g,
          (_, which: keyof typeof places) => places[which],
        );
        return { contents, loader: 'js' };
      });
    },
  };
}

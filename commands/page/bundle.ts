import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import { InputError } from '../../model/core/input-error.ts';
import { HERE, ROOT } from './here.ts';
import type { ListOfModules } from './lists.ts';

/** The program of a page: `entry` in `in-page/` with all that it imports, compressed, as base64. */
export async function packedProgram(entry: string, lists: readonly ListOfModules[]): Promise<string> {
  const { build } = await loadEsbuild();
  const { outputFiles } = await build({
    entryPoints: [join(HERE, 'in-page', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    inject: [join(HERE, 'in-page/buffer.ts')],
    tsconfigRaw: '{}',
    plugins: [inBrowser(), leavingOut(lists)],
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).toString('base64');
}

async function loadEsbuild(): Promise<typeof import('esbuild')> {
  try {
    return await import('esbuild');
  } catch {
    throw new InputError('a page is made with esbuild, which is not installed: npm install esbuild');
  }
}

/** How the searches draw and shrink each client call. */
const SEARCHED = join(ROOT, 'checker/sequences/calls/');

/** What a browser does not have, or does not need for a walk: iced-x86, the compiled loop, random draws and shrinking. */
function inBrowser(): Plugin {
  const instead: Readonly<Record<string, string>> = {
    'iced-x86': join(ROOT, 'model/x86/without-iced/iced.ts'),
    './listing.ts': join(ROOT, 'model/x86/without-iced/listing.ts'),
  };
  return {
    name: 'in a browser',
    setup(build) {
      build.onResolve({ filter: /^iced-x86$/ }, () => ({ path: instead['iced-x86']! }));
      build.onResolve({ filter: /\/listing\.ts$/ }, ({ path, resolveDir }) =>
        resolve(resolveDir, path) === join(ROOT, 'model/x86/listing.ts')
          ? { path: instead['./listing.ts']! }
          : undefined,
      );
      // A page executes a few calls: the reference is enough.
      build.onLoad({ filter: /\/engine-module\.[jt]s$/ }, () => ({
        contents: "export const ENGINE_MODULE = '';",
      }));
      build.onResolve({ filter: /^fast-check$/ }, () => ({ path: 'fast-check', namespace: 'absent' }));
      build.onResolve({ filter: /^\.\.\/(draw|shrink)\// }, ({ path, importer }) =>
        importer.startsWith(SEARCHED) ? { path, namespace: 'absent' } : undefined,
      );
    },
  };
}

/**
 * Leaves out the modules of list elements that a page does not need: laws, designs and client calls of other findings.
 * Where their list imports them, something stands that never applies.
 */
function leavingOut(lists: readonly ListOfModules[]): Plugin {
  return {
    name: 'leaving out',
    setup(build) {
      build.onResolve({ filter: /^\./ }, async ({ path, importer, resolveDir }) => {
        const list = lists.find((own) => importer === join(ROOT, own.path));
        if (list === undefined) return undefined;
        const file = resolve(resolveDir, path);
        return (await isNeeded(file, list)) ? undefined : { path: 'absent', namespace: 'absent' };
      });
      build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: ABSENT, loader: 'js' }));
    },
  };
}

async function isNeeded(file: string, { elements, needed }: ListOfModules): Promise<boolean> {
  const exported = Object.values((await import(moduleOf(file))) as object).flat();
  return exported.some((value) => needed.has(value)) || !exported.some((value) => elements.has(value));
}

/** The module that runs for a source file: itself, or what it was compiled to. */
function moduleOf(file: string): string {
  const compiled = file.replace(ROOT, join(ROOT, 'dist')).replace(/\.ts$/, '.js');
  return pathToFileURL(import.meta.url.endsWith('.ts') ? file : compiled).href;
}

/** It is a law that never applies, a design without routines, a call of no client, an empty list, and no draw. */
const ABSENT = `
const absent = new Proxy(() => {}, {
  get: (_, key) => FIELDS[key] ?? (key === Symbol.iterator ? function* () {} : absent),
  apply: () => absent,
});
const FIELDS = { name: 'absent', service: { by: 'client' }, judge: () => 'not applicable', edits: [] };
// The bundler makes an object of a module's prototype: every name is in that.
const all = new Proxy({}, { get: () => absent, getPrototypeOf: () => all });
module.exports = all;
`;

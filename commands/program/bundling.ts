import { createRequire } from 'node:module';
import { basename, extname } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/** The modules that workers start with, by their paths without an extension. */
export const WORKERS = [
  'commands/explore/explore-worker',
  'commands/refine/refine-worker',
  'commands/compare/design-worker',
];

/** How modules are bundled, compiled ones and sources. */
export const BUNDLING = {
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  keepNames: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** The name that a start has in a bundle. */
export function nameOf(path: string): string {
  return basename(path, extname(path));
}

const require = createRequire(import.meta.url);

/** Before Node imports from a CommonJS module it looks for its exports; in iced-x86 that takes a tenth of a second. */
export function withoutLexer(): Plugin {
  return {
    name: 'without lexer',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^iced-x86$/ }, ({ path }) => ({ path, namespace: 'required' }));
      onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
        contents: `import { createRequire } from 'node:module';
          export const { ${Object.keys(require(path)).join(', ')} } = createRequire(import.meta.url)('${path}');`,
        loader: 'js',
      }));
    },
  };
}

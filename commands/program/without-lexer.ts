import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

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

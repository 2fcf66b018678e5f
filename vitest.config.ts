import { configDefaults, defineConfig } from 'vitest/config';
import { v8Flags } from './commands/line/v8-flags.ts';
import { LongFirst } from './test/long-first.ts';

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    exclude: [...configDefaults.exclude, 'dist/**'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    isolate: false,
    sequence: { sequencer: LongFirst },
    maxWorkers: '100%',
    // Node's own modules: Vite's reach each imported name through a getter, a tenth of the time of a search.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--import', 'tsx', ...v8Flags(process.versions.node)],
  },
});

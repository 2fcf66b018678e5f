import { configDefaults, defineConfig } from 'vitest/config';
import { LongFirst } from './test/long-first.ts';

/** Tests that put another module in the place of one, or load one from outside: Vite's runner of modules lets them. */
const MOCKING = ['test/adding-a-call.test.ts', 'test/adding-a-profile.test.ts', 'test/wording.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    isolate: false,
    sequence: { sequencer: LongFirst },
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'dist/**', ...MOCKING],
          // Node's own modules: Vite's reach each imported name through a getter, a tenth of the time of a search.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          execArgv: ['--import', 'tsx'],
        },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING } },
    ],
  },
});

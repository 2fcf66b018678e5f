import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/long-first.ts';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    isolate: false,
    sequence: { sequencer: LongFirst },
    maxWorkers: '100%',
  },
});

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
    isolate: false,
    maxWorkers: '100%',
  },
});

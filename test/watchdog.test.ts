import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { TOP } from './sources.ts';

test('a test that never gives the CPU back is ended, and named', () => {
  const endless =
    "const { watchdog } = await import('./test/watchdog.ts'); watchdog(0.5)('a loop'); for (;;);";
  const { signal, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', endless],
    { cwd: TOP, encoding: 'utf8', timeout: 30_000 },
  );
  expect(stderr).toBe('after 0.5 seconds there is no end of: a loop\n');
  expect(signal).toBe('SIGKILL');
});

test('one that ends in time is not', () => {
  const over =
    "const { watchdog } = await import('./test/watchdog.ts'); const tell = watchdog(0.2); tell('a test'); tell('');";
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 500));';
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', over + wait],
    { cwd: TOP, encoding: 'utf8', timeout: 30_000 },
  );
  expect([status, stderr]).toEqual([0, '']);
});

import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { bundled, removeBundle } from './bundled.ts';
import { TOP } from './sources.ts';

/** Runs a bundle once. */
function started(program: string) {
  onTestFinished(() => removeBundle(program));
  return spawnSync(process.execPath, [program], { cwd: TOP, encoding: 'utf8', timeout: 30_000 });
}

test('a test that never gives the CPU back is ended, and named', async () => {
  const endless =
    "const { watchdog } = await import('./test/watchdog.ts'); watchdog(0.5)('a loop'); for (;;);";
  const { signal, stderr } = started(await bundled({ code: endless }));
  expect(stderr).toBe('after 0.5 seconds there is no end of: a loop\n');
  expect(signal).toBe('SIGKILL');
});

test('one that ends in time is not', async () => {
  const over =
    "const { watchdog } = await import('./test/watchdog.ts'); const tell = watchdog(0.2); tell('a test'); tell('');";
  const wait = 'await new Promise((resolve) => setTimeout(resolve, 500));';
  const { status, stderr } = started(await bundled({ code: over + wait }));
  expect([status, stderr]).toEqual([0, '']);
});

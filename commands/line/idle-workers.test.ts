import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { bundledWorker } from '../../test/bundled-worker.ts';
import { sources, TOP } from '../../test/sources.ts';
import { WORKERS } from '../program/bundling.ts';
import { prepareWorkers, takeWorker } from './idle-workers.ts';

const STARTS = WORKERS.map((path) => [path, join(TOP, dirname(path), 'from-sources.mjs')] as const);

test('a worker from the sources has a compiler, and answers', async () => {
  const [, start] = STARTS.find(([path]) => path.startsWith('commands/compare/'))!;
  const worker = new Worker(start, { execArgv: [], workerData: [] });
  worker.postMessage({ of: 'numbers', client: { name: 'fprobe', profile: '6.12' }, numbers: [8] });
  expect(await once(worker, 'message')).toMatchObject([{ is: 'on' }]);
  await worker.terminate();
});

test('starts from the sources differ in nothing but the worker', () => {
  const texts = sources('/from-sources.mjs').map(({ path, text }) => {
    const worker = WORKERS.find((known) => dirname(known) === dirname(path))!;
    expect(text).toContain(`import('./${basename(worker)}.ts')`);
    return text.replace(basename(worker), '');
  });
  expect(texts).toHaveLength(WORKERS.length);
  expect(new Set(texts).size).toBe(1);
});

test.each(STARTS)('workers of tests start from a bundle: %s', (path, start) => {
  const bundled = fileURLToPath(bundledWorker(pathToFileURL(start)));
  expect(basename(bundled)).toBe(`${basename(path)}.mjs`);
  expect(existsSync(bundled)).toBe(true);
  expect(bundledWorker(pathToFileURL(bundled)).href).toBe(pathToFileURL(bundled).href);
});

/** The worker that something starts. */
async function startedBy(start: () => void): Promise<Worker> {
  const started = once(process, 'worker');
  start();
  const [worker] = (await started) as [Worker];
  return worker;
}

test('a worker that was prepared is taken, and answers', async () => {
  const [, path] = STARTS.find(([path]) => path.startsWith('commands/compare/'))!;
  const start = pathToFileURL(path);
  const prepared = await startedBy(() => prepareWorkers(start, 1));
  // There is one.
  prepareWorkers(start, 1);
  expect(takeWorker(start)).toBe(prepared);
  prepared.postMessage({ of: 'numbers', client: { name: 'fprobe', profile: '6.12' }, numbers: [8] });
  expect(await once(prepared, 'message')).toMatchObject([{ is: 'on' }]);
  await prepared.terminate();
});

test('a prepared worker that fails ends nothing: the next that is taken says why', async () => {
  const missing = pathToFileURL(join(TOP, 'commands/line/missing.mjs'));
  const prepared = await startedBy(() => prepareWorkers(missing, 1));
  await new Promise((resolve) => prepared.once('exit', resolve));
  const taken = takeWorker(missing);
  expect(taken).not.toBe(prepared);
  const [error] = await once(taken, 'error');
  expect(String(error)).toContain('missing.mjs');
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { scratch } from '../test/scratch.ts';
import { THOROUGH } from '../test/thorough.ts';
import { bootableIn, kernelFolder, missingIn } from './cache.ts';
import { sayable } from './history/cast-history.ts';
import { KernelHistories } from './history/drawn.ts';
import { COMPARING, TestedKernel } from './loop/tested-kernel.ts';
import { readyKernel } from './ready.ts';
import { isOfSources, noteRecorder } from './setup/recorder-key.ts';

const cache = scratch();

describe('a kernel', () => {
  const readyIn = (cache: string) => {
    vi.stubEnv('ATTACHCHECK_CACHE', cache);
    try {
      readyKernel('6.12');
    } finally {
      vi.unstubAllEnvs();
    }
  };

  test('that was not set up is refused with the command for it', () => {
    expect(() => readyIn('no/such/folder')).toThrow(
      '6.12 is not in no/such/folder/6.12: npm run check -- kernel setup 6.12',
    );
  });

  test('whose recorder is of other sources is refused with the command for it', () => {
    const folder = cache.path('6.12');
    mkdirSync(folder);
    for (const name of Object.values(bootableIn(folder))) writeFileSync(name, '');
    const refused = `the recorder in ${folder} is of other sources than these: npm run check -- kernel setup 6.12`;
    expect(() => readyIn(dirname(folder))).toThrow(refused);
    writeFileSync(join(folder, 'sources'), 'another');
    expect(() => readyIn(dirname(folder))).toThrow(refused);
    noteRecorder(folder);
    expect(isOfSources(folder)).toBe(true);
  });
});

/** Skipped where the kernel was not set up, and but for a thorough run: it boots one. */
test.skipIf(!THOROUGH || missingIn(kernelFolder('6.12')).length > 0)(
  'a running 6.12 agrees with the model in three histories',
  () => {
    const tested = new TestedKernel(readyKernel('6.12'), COMPARING, 'bound functions');
    const histories = new KernelHistories('6.12', 1, 'comparison');
    try {
      for (const n of [2, 3, 4]) {
        const { question } = sayable(histories.at(n));
        if (question !== undefined) expect(tested.run(question).difference).toBeUndefined();
      }
    } finally {
      tested.close();
    }
  },
  300_000,
);

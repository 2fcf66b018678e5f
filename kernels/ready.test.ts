import { expect, test } from 'vitest';
import { THOROUGH } from '../test/thorough.ts';
import { kernelFolder, missingIn } from './cache.ts';
import { sayable } from './history/cast-history.ts';
import { KernelHistories } from './history/drawn.ts';
import { COMPARING, TestedKernel } from './loop/tested-kernel.ts';
import { readyKernel } from './ready.ts';

test('a kernel that was not set up is refused with the command for it', () => {
  const before = process.env['ATTACHCHECK_CACHE'];
  process.env['ATTACHCHECK_CACHE'] = 'no/such/folder';
  try {
    expect(() => readyKernel('6.12')).toThrow(
      '6.12 is not in no/such/folder/6.12: npm run check -- kernel setup 6.12',
    );
  } finally {
    if (before === undefined) delete process.env['ATTACHCHECK_CACHE'];
    else process.env['ATTACHCHECK_CACHE'] = before;
  }
});

/** Skipped where the kernel was not set up, and but for a thorough run: it boots one. */
test.skipIf(!THOROUGH || missingIn(kernelFolder('6.12')).length > 0)(
  'a running 6.12 agrees with the model in three histories',
  () => {
    const tested = new TestedKernel(readyKernel('6.12'), COMPARING);
    const histories = new KernelHistories('6.12', 1);
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

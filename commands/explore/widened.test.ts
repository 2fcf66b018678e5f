import { expect, test } from 'vitest';
import type { Answer } from '../../counterexamples/answer.ts';
import { exploreBeside } from './explore.ts';
import { defaultExploration, IN_ONE_WORKER } from './explore-options.ts';

/** The answer of the default exploration's first scenarios. */
async function explored(widens: boolean): Promise<Answer> {
  const { job, widen } = exploreBeside(defaultExploration('4'), IN_ONE_WORKER);
  if (widens) widen?.();
  for (;;) {
    const { done, value } = await job.next(false);
    if (done === true) return value;
  }
}

test('an exploration that another worker joins on its way has the same result', async () => {
  const alone = await explored(false);
  expect(alone.json).toMatchObject({ exit: alone.exit });
  expect(await explored(true)).toEqual(alone);
});

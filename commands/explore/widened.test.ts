import { expect, test } from 'vitest';
import type { Answer } from '../../counterexamples/answer.ts';
import { exploreBeside } from './explore.ts';
import { defaultExploration, IN_ONE_WORKER } from './explore-options.ts';

/** Small scenarios of the default exploration. */
const SMALL = ['attach f1, register f1', 'attach f1, modify f2', 'detach f1, register f1'];

/** Their answer, of their first states. */
async function explored(widens: boolean): Promise<Answer> {
  const { scenarios, ...search } = { ...defaultExploration(), states: 500 };
  const small = scenarios.filter(({ name }) => SMALL.includes(name));
  expect(small.map(({ name }) => name)).toEqual(SMALL);
  const { job, widen } = exploreBeside({ ...search, scenarios: small }, IN_ONE_WORKER);
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

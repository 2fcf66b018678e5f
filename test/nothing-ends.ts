import type { TaskLaw } from '../properties/law/interleaving-law.ts';
import { TASK_LAWS } from '../properties/task-laws.ts';

/** Broken by every operation that ends: breaches are everywhere. */
export const NOTHING_ENDS: TaskLaw = {
  ...TASK_LAWS[0]!,
  name: 'task/nothing-ends',
  judge: ({ happening }) =>
    happening.is === 'operation over'
      ? {
          is: 'all-wait',
          waits: [{ who: `client#${happening.done.client + 1}`, is: 'counter', image: '', refs: 0 }],
        }
      : 'not applicable',
};

import type { AttachLaw } from '../law/sequence-law.ts';

export const locksAreTakenInOneOrder: AttachLaw = {
  name: 'ftrace/locks-are-taken-in-one-order',
  sentence:
    'Locks are taken in an order without a cycle, released by the task that took them, and free when a call returns.',
  source:
    'Documentation/locking/lockdep-design.rst; kernel/locking/lockdep.c check_noncircular, lockdep_sys_exit',
  witness: 'a lock taken while another one is held',
  watchesLocks: true,
  judge: ({ locking }) => {
    if (locking === undefined) return 'not applicable';
    return locking.disorder[0] ?? (locking.isNested ? 'held' : 'not applicable');
  },
};

import type { LockFinding } from './lock-finding.ts';
import type { SaidWords } from './said.ts';

/** The words for the discipline of locks. */
export const LOCK_WORDS: SaidWords<LockFinding> = {
  'writes-without-lock': ({ what, locks, by }) => ({
    expected: `${what} is written under ${locks.join(' or ')}`,
    observed: `it has been written without when ${by} is over`,
  }),
  'runs-without-lock': ({ routine, lock }) => ({
    expected: `${routine} runs under ${lock}`,
    observed: 'it is called without',
  }),
  'locks-in-a-cycle': ({ locks }) => ({
    expected: 'locks are taken in one order',
    observed: `a cycle: ${[...locks, ...locks.slice(0, 1)].join(', then ')}`,
  }),
  'lock-is-kept': ({ lock }) => ({
    expected: 'the call returns with no lock held',
    observed: `it holds ${lock}`,
  }),
  'releases-without-holding': ({ by }) => ({
    expected: 'a lock is released by the task that took it',
    observed: `${by} releases one that it does not hold`,
  }),
};

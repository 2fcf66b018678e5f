import { expect, test } from 'vitest';
import { askLaw } from '../../../checker/interleavings/nearest-breach.ts';
import { explore } from '../../../checker/interleavings/search.ts';
import { Space } from '../../../checker/interleavings/space.ts';
import { rendered } from '../../finding/render.ts';
import type { Scenario } from '../../observed/scenario.ts';
import { noCallToAFreedProgram } from '../../task/no-call-to-a-freed-program.ts';
import { noDeadlock } from '../../task/no-deadlock.ts';
import { noOverwriteOfRunningCode } from '../../task/no-overwrite-of-running-code.ts';
import { TASK_LAWS } from '../../task-laws.ts';
import { load } from '../sequences/actions.ts';
import { PLANTED_LOCKS } from './locks.ts';
import type { TaskPlanted } from './planted.ts';
import { asleepIn, close, closeProg, loadSleepable, open, scenario } from './scenarios.ts';

/** A task sleeps in the sleepable program p1; p2 is detached and freed; the task resumes. */
const SLEEPS_IN_P1 = scenario({
  setup: [loadSleepable(1), load(2), open(2), open(1)],
  clients: [[close(2), closeProg(2)]],
  callers: [asleepIn('prog#1')],
});

/** A task sleeps in the original; its image is replaced twice. */
const SLEEPS_IN_THE_ORIGINAL = scenario({
  setup: [load(1, 'fexit'), load(2), open(1)],
  clients: [[open(2), close(1)]],
  callers: [asleepIn('body_hook')],
});

const LOCK: TaskPlanted = PLANTED_LOCKS.find(({ name }) => name === 'peer-waits-for-the-trampoline')!;

function everything(profile: string, asked: Omit<Scenario, 'profile'>) {
  const { breaches, complete, states } = explore(new Space({ profile, ...asked }), {
    laws: TASK_LAWS,
    stopsAt: () => false,
  });
  expect(states).toBeLessThan(60_000);
  return {
    complete,
    breaches: breaches.map(({ law, finding }) => `${law.name}: ${rendered(finding).observed}`),
  };
}

test.each(['6.1, sleepableTargets = true', '6.12'])(
  'the exam: generation B (%s) lets a task that slept in p1 call p2, which was freed',
  (profile) => {
    const { finding, moves } = askLaw(noCallToAFreedProgram, { profile, ...SLEEPS_IN_P1 }, []);
    expect(finding).toBe(
      'a program that an image calls is allocated / use after free: prog#2 has been freed (__bpf_prog_enter_recur)',
    );
    expect(moves).toBe(51);
  },
);

test('the exam: generation C (7.2) holds, and every other law with it', () => {
  expect(everything('7.2', SLEEPS_IN_P1)).toEqual({ complete: true, breaches: [] });
});

test('the exam: generation A overwrites the half of a page that a task returns to', () => {
  const profile = '6.12, imageLifecycle = A';
  const { finding, moves } = askLaw(noOverwriteOfRunningCode, { profile, ...SLEEPS_IN_THE_ORIGINAL }, []);
  expect(finding).toBe(
    'a call accesses only allocated memory / read of 1 byte at 0x81081000db40b34: unmapped, at tramp#3+0x22',
  );
  expect(moves).toBe(39);
});

test.each(['6.12', '7.2'])('the exam: %s reuses no memory under that task', (profile) => {
  const { finding, complete } = askLaw(noOverwriteOfRunningCode, { profile, ...SLEEPS_IN_THE_ORIGINAL }, []);
  expect({ finding, complete }).toEqual({ finding: undefined, complete: true });
});

test('the exam: attach and live patch deadlock when the trylock becomes a lock', () => {
  const { finding } = askLaw(noDeadlock, { profile: '6.12', ...LOCK.scenario }, LOCK.edits);
  expect(finding).toBe(
    'no deadlock / client#1 waits for direct_mutex, which client#2 holds; client#2 waits for mutex of tr(f1), which client#1 holds',
  );
});

test.each(['6.12', '7.2'])('the exam: no deadlock in %s, which uses a trylock', (profile) => {
  const { finding, complete, witness } = askLaw(noDeadlock, { profile, ...LOCK.scenario }, []);
  expect({ finding, complete }).toEqual({ finding: undefined, complete: true });
  expect(witness).toBeGreaterThan(0);
});

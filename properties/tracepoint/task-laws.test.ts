import { describe, expect, test } from 'vitest';
import type { TaskPlanted } from '../planted/task-planted.ts';
import { askLaw } from '../planted/task-planted.ts';
import { added, hitBeside, PLANTED_TRACEPOINTS, taken } from '../planted/task-tracepoints.ts';
import { probesGetTheirOwnData, TRACEPOINT_TASK_LAWS } from './task-laws.ts';

function ask({ law, scenario }: TaskPlanted, profile: string, edits: TaskPlanted['edits']) {
  return askLaw(law, { profile, ...scenario }, edits);
}

describe.each(PLANTED_TRACEPOINTS.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
  test('is found by its law, after as many moves as are said', () => {
    const { finding, moves } = ask(planted, planted.profile, planted.edits);
    expect({ finding, moves }).toEqual({ finding: planted.finding, moves: planted.moves });
  });

  test.each(['6.1', '6.12', '7.2'])('is the only thing that its scenario shows in %s', (profile) => {
    const { finding, complete, witness } = ask(planted, profile, []);
    expect({ finding, complete }).toEqual({ finding: undefined, complete: true });
    expect(witness).toBeGreaterThan(0);
  });
});

test('each law has its planted bug', () => {
  expect(new Set(PLANTED_TRACEPOINTS.map(({ law }) => law.name))).toEqual(
    new Set(TRACEPOINT_TASK_LAWS.map(({ name }) => name)),
  );
});

/*
 * tp_rcu_cond_sync() waits for RCU and for tracepoint_srcu. The site of a tracepoint of a system call is in a section of
 * neither: it has rcu_read_lock_tasks_trace() alone, so that a task which is preempted between the data and the call is
 * waited for by nobody. No recording shows it; it is read in the source of 7.2, and takes a kernel with preemption.
 */
describe('a tracepoint of 7.2 whose probes may fault', () => {
  test.each([
    ['the last but one leaves', [added(1), added(2)], [taken(1)]],
    ['one leaves and another comes', [added(1)], [taken(1), added(2)]],
  ])('calls a probe with the data of another: %s', (_, setup, client) => {
    const scenario = { profile: '7.2', ...hitBeside(setup, client, true) };
    expect(askLaw(probesGetTheirOwnData, scenario, []).finding).toBe(
      'my_probe2 is called as my_probe2(data#2) / it is called as my_probe2(data#1)',
    );
  });
});

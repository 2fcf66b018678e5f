import { describe, expect, test } from 'vitest';
import { linkKernel } from '../../model/step.ts';
import { register, scenario, tracer } from '../../properties/planted/interleavings/scenarios.ts';
import { F1, F2 } from '../../properties/planted/sequences/actions.ts';
import { edit, instead } from '../../properties/planted/sequences/edits.ts';
import { noTornInstruction } from '../../properties/task/no-torn-instruction.ts';
import { searchSchedules } from './random/search-schedules.ts';
import { explore } from './search.ts';
import { Space } from './space.ts';

/** Two clients register an ops each; the second of them finds that something is gone. */
const own = {
  profile: '6.12',
  ...scenario({
    functions: [F1, F2],
    setup: [...tracer('ops#1', 'f2'), ...tracer('ops#2', 'f2')],
    clients: [[register('ops#1')], [register('ops#2')]],
    callers: [],
  }),
};

const throws = linkKernel([
  edit(
    'ftrace_startup',
    'mark enabled and adding',
    instead((k, _, own) => {
      if (k.ftrace.opsList.length > 1) throw new TypeError('nothing has flags');
      own();
    }),
  ),
]);

describe('an exception of a routine between two others is a breach, whichever law is checked', () => {
  const laws = [noTornInstruction];
  const crash = { is: 'exception', error: 'TypeError: nothing has flags' };

  test('in all interleavings', () => {
    const { breaches } = explore(new Space(own, { program: throws }), { laws });
    expect(breaches[0]).toMatchObject({
      law: { name: 'task/no-warn-and-no-oops' },
      finding: { is: 'crashes', crash },
    });
    expect(breaches[0]!.path.length).toBeGreaterThan(1);
  });

  test('in random schedules', () => {
    const { found } = searchSchedules(own, { laws, seed: 1, schedules: 20, program: throws });
    expect(found?.breach.finding).toMatchObject({ is: 'crashes', crash });
  });
});

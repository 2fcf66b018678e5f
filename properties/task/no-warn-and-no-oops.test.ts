import { describe, expect, test } from 'vitest';
import { askLaw } from '../../checker/interleavings/nearest-breach.ts';
import type { Action } from '../../model/client/all.ts';
import { KERNELS } from '../../model/core/profile.ts';
import type { Warning } from '../../model/core/warning.ts';
import { bootKernel } from '../../model/kernel.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { TASK_PLANTED } from '../planted/interleavings/all.ts';
import { register, scenario, tracer } from '../planted/interleavings/scenarios.ts';
import { F1, kprobe } from '../planted/sequences/actions.ts';
import { noWarnAndNoOops } from './no-warn-and-no-oops.ts';

const NO_FILTER: Action = { do: 'fail', fault: { what: 'allocation', where: 'ftrace_set_hash' } };
const NO_POKE: Action = { do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } };

describe.each(KERNELS)('%s: a failure may cause its own WARN', (profile) => {
  test.each([
    [
      'kprobe that cannot leave the filter',
      [kprobe(1)],
      [NO_FILTER, { do: 'unregister_kprobe', kprobe: 'kprobe#1' }],
    ],
    ['site that cannot be poked', tracer('ops#1'), [NO_POKE, register('ops#1')]],
  ] satisfies [string, Action[], Action[]][])('a %s', (_, setup, client) => {
    const beside = scenario({ setup, clients: [client, [...tracer('ops#2')]], callers: [] });
    const { finding, complete, witness } = askLaw(noWarnAndNoOops, { profile, ...beside }, []);
    expect({ finding, complete }).toEqual({ finding: undefined, complete: true });
    expect(witness).toBeGreaterThan(0);
  });
});

test('a WARN that the failure does not cause is a breach beside it as without it', () => {
  const planted = TASK_PLANTED.find(({ name }) => name === 'registrations-overlap')!;
  const { setup, clients } = planted.scenario;
  const failing = { ...planted.scenario, setup, clients: [[NO_FILTER, ...clients[0]!], ...clients.slice(1)] };
  const { finding } = askLaw(
    noWarnAndNoOops,
    { profile: planted.profile, ...failing },
    planted.edits,
    planted.grain,
  );
  expect(finding).toBe(planted.finding);
});

test('a WARN that a failing poke causes is left out of the finding', () => {
  const planted = TASK_PLANTED.find(({ name }) => name === 'registrations-overlap')!;
  const [first, ...others] = planted.scenario.clients;
  const failing = { ...planted.scenario, clients: [[NO_POKE, ...first!], ...others] };
  const { finding } = askLaw(
    noWarnAndNoOops,
    { profile: planted.profile, ...failing },
    planted.edits,
    planted.grain,
  );
  expect(finding).toBe('no warning / bad trampoline accounting (ftrace_get_addr_curr)');
});

describe('what a dead ftrace refuses to take back', () => {
  const NOT_DISARMED = { is: 'kprobe not disarmed', ip: 'f1' } as const;
  const WITHOUT_FUNC = { is: 'ops without func', ops: 'direct_ops' } as const;

  function judged(isDead: boolean, ...warnings: Warning[]) {
    const kernel = bootKernel({ profile: '7.2', boot: 'default', functions: [F1] });
    kernel.ftrace.disabled = isDead;
    const beside = { profile: '7.2', ...scenario({ setup: [kprobe(1)], clients: [], callers: [] }) };
    const happening = { is: 'warned', warnings } as const;
    return noWarnAndNoOops.judge({
      scenario: beside,
      program: KERNEL_PROGRAM,
      happening,
      kernel,
      running: [],
    });
  }

  test('warns of its death alone', () => {
    expect(judged(true, NOT_DISARMED)).toBe('not applicable');
    expect(judged(true, WITHOUT_FUNC, NOT_DISARMED)).toEqual({ is: 'warns', warnings: [WITHOUT_FUNC] });
  });

  test('is a breach while ftrace lives', () => {
    expect(judged(false, NOT_DISARMED)).toEqual({ is: 'warns', warnings: [NOT_DISARMED] });
  });
});

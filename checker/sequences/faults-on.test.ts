import { expect, test } from 'vitest';
import { bootKernel } from '../../model/kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../model/step.ts';
import { F1, link, load } from '../../properties/planted/sequences/actions.ts';
import { faultsOn } from './faults-on.ts';

function booted() {
  const k = bootKernel({ profile: '6.12', boot: 'default', functions: [F1] });
  for (const n of [1, 2, 3]) apply(k, load(n));
  return k;
}

test('each allocation on the way of an action can fail, and its first poke', () => {
  expect(faultsOn(booted(), link(1), KERNEL_PROGRAM)).toEqual(
    expect.arrayContaining([
      { what: 'allocation', where: 'bpf_trampoline_update' },
      { what: 'allocation', where: 'bpf_trampoline_update', nth: 2 },
      { what: 'poke', where: 'ftrace_replace_code' },
    ]),
  );
});

test('an allocation that is to fail later is counted over all calls', () => {
  const k = booted();
  apply(k, { do: 'fail', fault: { what: 'allocation', where: 'bpf_trampoline_update', nth: 4 } });
  expect([1, 2, 3].map((n) => apply(k, link(n)).errno)).toEqual([0, 'ENOMEM', 0]);
  expect(k.fault).toBeNull();
});

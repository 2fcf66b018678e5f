import { expect, test } from 'vitest';
import type { InjectedFault } from '../../model/core/world.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { OrderedFailure } from './ordered-failure.ts';

const FAULT: InjectedFault = { what: 'allocation', where: 'ftrace_set_hash' };

function ordered() {
  const k = bootKernel({ profile: '6.12', boot: 'default', functions: [] });
  apply(k, { do: 'fail', fault: FAULT });
  return k;
}

test('an order that the kernel takes is answered as it is', () => {
  const failure = new OrderedFailure();
  expect(failure.answered(FAULT, '0')).toBe('0');
  expect(failure.answered(FAULT, 'EINVAL')).toBe('EINVAL');
  expect(() =>
    failure.requireNone(bootKernel({ profile: '6.12', boot: 'default', functions: [] })),
  ).not.toThrow();
});

test('in a kernel without such a call nothing fails, until the model has it fail', () => {
  const failure = new OrderedFailure();
  expect(failure.answered(FAULT, 'ENOENT')).toBe('0');
  const k = ordered();
  failure.requireNone(k);
  apply(k, { do: 'ftrace_set_filter_ip', ops: 'ops#1', ip: 'f1', remove: false, reset: false });
  expect(k.fault).toBeNull();
  expect(() => failure.requireNone(k)).toThrow(
    'the model has a failing allocation in ftrace_set_hash, of which no call is known in this kernel',
  );
});

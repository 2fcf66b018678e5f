import { expect, test } from 'vitest';
import { bootKernel } from '../model/kernel.ts';
import { KERNEL_PROGRAM } from '../model/step.ts';
import { F1 } from '../properties/planted/sequences/actions.ts';
import { stateDifference } from './state-difference.ts';

test('two kernels differ first in a field, by its path', () => {
  const boot = () => ({
    kernel: bootKernel({ profile: '6.12', boot: 'default', functions: [F1] }),
    program: KERNEL_PROGRAM,
  });
  expect(stateDifference(boot(), boot())).toBeUndefined();
  const other = boot();
  other.kernel.ftrace.records['f1']!.count = 1;
  expect(stateDifference(boot(), other)).toEqual([
    { is: 'change', subject: 'ftrace.records.f1.count', to: '0' },
    { is: 'change', subject: 'ftrace.records.f1.count', to: '1' },
  ]);
});

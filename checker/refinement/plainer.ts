import type { Action, ActionOf } from '../../model/client/all.ts';
import { item } from '../../model/core/present.ts';
import { ZERO } from '../../model/x86/word.ts';
import type { History } from './retelling.ts';
import { retell } from './retelling.ts';

type Load = ActionOf<'BPF_PROG_LOAD'>;

/** The features of a program that can be dropped, one after the other. */
const PLAINER: readonly ((load: Load) => Load)[] = [
  (load) => ({ ...load, program: { ...load.program, cookie: ZERO } }),
  (load) => ({ ...load, program: { ...load.program, getFuncIp: false } }),
  (load) => ({ ...load, program: { ...load.program, reads: 'helpers' } }),
  (load) => ({ ...load, returns: ZERO }),
];

/**
 * The same history with programs that ask for less, as far as it distinguishes the two kernels in the same operation.
 */
export function plainest(history: History): History {
  const { operations } = history;
  let plain = history;
  operations.forEach((actions, i) => {
    actions.forEach((_, j) => {
      for (const plainer of PLAINER) {
        const candidate = { ...plain, operations: changed(plain.operations, i, j, plainer) };
        const { difference, steps } = retell(candidate);
        if (difference !== undefined && steps.length === operations.length) plain = candidate;
      }
    });
  });
  return plain;
}

function changed(
  operations: History['operations'],
  i: number,
  j: number,
  change: (load: Load) => Load,
): History['operations'] {
  const actions: readonly Action[] = item(operations, i);
  const action = item(actions, j);
  if (action.do !== 'BPF_PROG_LOAD') return operations;
  return operations.with(i, actions.with(j, change(action)));
}

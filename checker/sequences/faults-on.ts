import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { Action } from '../../model/client/all.ts';
import { DO } from '../../model/core/instruction.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import { faultOf } from '../../model/core/world.ts';
import type { Kernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { FAULTS } from './faults.ts';

/**
 * The failures on the way of an action, which is run here: of each allocation that its routines make, those of a
 * planted bug included, and of its first poke.
 */
export function faultsOn(k: Kernel, action: Action, program: KernelProgram): InjectedFault[] {
  const passed = new Set<string>();
  const allocations = new Map<string, number>();
  apply(k, action, program, {
    step: (instruction) => {
      const { routine } = instruction;
      passed.add(routine);
      if (instruction.do === DO.REFUSE && instruction.allocates)
        allocations.set(routine, (allocations.get(routine) ?? 0) + 1);
    },
  });
  const others = FAULTS.filter(({ where }) => passed.has(where) && !allocations.has(where));
  const counted = [...allocations].flatMap(([where, count]) =>
    Array.from({ length: count }, (_, i) => faultOf('allocation', where, i + 1)),
  );
  return [...others, ...counted];
}

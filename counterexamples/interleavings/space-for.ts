import { ImpossibleSetup } from '../../checker/interleavings/impossible-setup.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import type { SpaceOptions } from '../../checker/interleavings/space.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';

/** The kernel of a planted bug, as finely cut as it needs; without one the kernel as it is. */
export function spaceOptions(planted: TaskPlanted | undefined, grain = planted?.grain): SpaceOptions {
  return { program: plantedKernel(planted), ...(grain === undefined ? {} : { grain }) };
}

/** A space in which every move is possible, and names stay; a sentence when it cannot be set up. */
export function spaceFor(
  scenario: Scenario,
  planted: TaskPlanted | undefined,
  grain?: Schedule['grain'],
): Space | string {
  try {
    return new Space(scenario, { ...spaceOptions(planted, grain), reduce: false, symmetric: false });
  } catch (error) {
    if (error instanceof ImpossibleSetup) return error.message;
    throw error;
  }
}

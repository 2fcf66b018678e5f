import { withSleepers } from '../../checker/interleavings/family.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { PREFERRED, PROFILES } from '../../model/core/profile.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';

/** The effort spent on each design. */
export interface DesignBound {
  readonly seed: number;
  /** Random sequences of client calls. */
  readonly sequences: number;
  /** One in this many scenarios of the family is walked, by this many random schedules. */
  readonly oneScenarioIn: number;
  readonly schedules: number;
}

/** The bound that the table names. */
export const FULL: DesignBound = { seed: 1, sequences: 300, oneScenarioIn: 1, schedules: 12 };

/** The bound of the test. */
export const SMALL: DesignBound = { seed: 1, sequences: 15, oneScenarioIn: 9, schedules: 2 };

/** The kernel that a design is judged on: 6.12 where supported. */
export function kernelFor({ name, needs }: Design): KernelVersion {
  const kernel = PREFERRED.find(
    (version) => needs?.({ ...PROFILES[version], multiLinks: name }) === undefined,
  );
  if (kernel === undefined) throw new Error(`${name} cannot run on any of the kernels`);
  return kernel;
}

/** That kernel with multi links of the design. */
export function profileFor(design: Design): string {
  return withSleepers(`${kernelFor(design)}, multiLinks = ${design.name}`);
}

import { withSleepers } from '../../checker/interleavings/family.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { PREFERRED, PROFILES } from '../../model/core/profile.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';

/** How much is tried of each design. */
export interface DesignBound {
  readonly seed: number;
  /** Random sequences of client calls. */
  readonly sequences: number;
  /** Of the scenarios of the family one in so many is walked, by so many random schedules. */
  readonly oneScenarioIn: number;
  readonly schedules: number;
}

/** What the table says was tried. */
export const FULL: DesignBound = { seed: 1, sequences: 300, oneScenarioIn: 1, schedules: 12 };

/** What a test tries again. */
export const SMALL: DesignBound = { seed: 1, sequences: 15, oneScenarioIn: 9, schedules: 2 };

/** The kernel that a design is judged on: 6.12 where it can stand there. */
export function kernelFor({ name, needs }: Design): KernelVersion {
  const kernel = PREFERRED.find(
    (version) => needs?.({ ...PROFILES[version], multiLinks: name }) === undefined,
  );
  if (kernel === undefined) throw new Error(`${name} can stand on none of the kernels`);
  return kernel;
}

/** That kernel with multi links of the design. */
export function profileFor(design: Design): string {
  return withSleepers(`${kernelFor(design)}, multiLinks = ${design.name}`);
}

import type { Scenario } from '../../properties/observed/scenario.ts';
import { ImpossibleSetup } from './impossible-setup.ts';
import type { SpaceOptions } from './space.ts';
import { Space } from './space.ts';

/** The states of a scenario; undefined: its kernel refuses the setup, or a call does not come to its place. */
export function possibleSpace(scenario: Scenario, options: SpaceOptions = {}): Space | undefined {
  try {
    return new Space(scenario, options);
  } catch (error) {
    if (error instanceof ImpossibleSetup) return undefined;
    throw error;
  }
}

import { nearestBreach } from '../../checker/interleavings/nearest-breach.ts';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { NamedScenario } from '../../commands/explore/exploration.ts';
import { lawsFor } from '../../commands/explore/own-laws.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';

/** States of a scenario in the sound kernel at most, and how many times as many a mutant may have. */
export const STATES = 10_000;
const MUTANT_STATES = 3;

/** Every interleaving of a scenario, up to the first law that the sound kernel keeps there. */
export function brokenIn(
  scenario: NamedScenario,
  sound: readonly string[],
  program: KernelProgram,
): string[] {
  const { laws } = explored(scenario, program, { states: MUTANT_STATES * STATES, sound });
  return laws.filter((law) => !sound.includes(law));
}

/** The laws that the sound kernel breaks in a scenario; undefined: it is too large, or its setup is refused. */
export function soundIn(scenario: NamedScenario, program: KernelProgram): string[] | undefined {
  try {
    const { laws, complete } = explored(scenario, program, { states: STATES });
    return complete ? laws : undefined;
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Without the sound kernel's breaches, the search ends at none. */
function explored(
  { scenario, grain }: NamedScenario,
  program: KernelProgram,
  { states, sound }: { readonly states: number; readonly sound?: readonly string[] },
): { readonly laws: string[]; readonly complete: boolean } {
  const laws = lawsFor(scenario);
  const space = () => new Space(scenario, grain === undefined ? { program } : { program, grain });
  const { breaches, complete } = explore(space(), {
    laws,
    states,
    stopsAt: ({ law }) => sound?.includes(law.name) === false,
  });
  const live = complete ? laws.filter(({ isLiveness }) => isLiveness === true) : [];
  const trapped = live.filter((law) => nearestBreach(law, space(), states).breach !== undefined);
  return {
    laws: [...new Set([...breaches, ...trapped.map((law) => ({ law }))].map(({ law }) => law.name))],
    complete,
  };
}

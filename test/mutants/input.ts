import { benchFor } from '../../checker/images/bench.ts';
import type { ImageCase } from '../../checker/images/case.ts';
import { runCase } from '../../checker/images/case.ts';
import { nearestBreach } from '../../checker/interleavings/nearest-breach.ts';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { NamedScenario } from '../../commands/explore/exploration.ts';
import { lawsFor } from '../../commands/explore/own-laws.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';

/** What a mutant is judged on, as a search draws it: plain data. */
export type Input =
  | { readonly is: 'image'; readonly case: ImageCase }
  | { readonly is: 'sequence'; readonly case: AttachCase }
  | { readonly is: 'scenario'; readonly scenario: NamedScenario };

/** States of a scenario in the sound kernel at most, and how many times as many a mutant may have. */
export const STATES = 3000;
const MUTANT_STATES = 3;

const bench = benchFor(undefined);
const SEQUENCE_LAWS = [...ATTACH_LAWS, ...HIT_LAWS];

/**
 * The laws that an input breaks in a kernel, those apart that are listed as known or that the sound kernel breaks there;
 * of an image or a sequence, the first. A model that throws breaks the rule that it never does.
 */
export function brokenBy(
  input: Input,
  sound: readonly string[] = [],
  program: KernelProgram = KERNEL_PROGRAM,
): string[] {
  try {
    return broken(input, sound, program);
  } catch (error) {
    if (error instanceof Error) return [THROWS];
    throw error;
  }
}

/** Instead of a law: the model throws, as on use of an object that is no more. */
export const THROWS = 'an exception of the model';

function broken(input: Input, sound: readonly string[], program: KernelProgram): string[] {
  switch (input.is) {
    case 'image': {
      const { verdict } = runCase(bench, input.case, { laws: IMAGE_LAWS, known: KNOWN });
      return verdict?.breach === undefined ? [] : [verdict.breach.law.name];
    }
    case 'sequence': {
      const { newBreach } = runSequence(input.case, { laws: SEQUENCE_LAWS, known: KNOWN_ATTACH, program });
      return newBreach === undefined ? [] : [newBreach.law.name];
    }
    case 'scenario':
      return brokenIn(input.scenario, sound, program);
    default:
      return unreachable(input);
  }
}

/** Every interleaving of a scenario, up to the first law that the sound kernel keeps there. */
function brokenIn(scenario: NamedScenario, sound: readonly string[], program: KernelProgram): string[] {
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

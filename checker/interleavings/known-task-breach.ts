import { profileNamed } from '../../model/core/profile.ts';
import { inOneLine } from '../../properties/finding/render.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { TaskBreach } from './judge.ts';

/** A breach of a law of interleavings that real kernels show: of which law, in which kernels, what it looks like. */
export interface KnownTaskBreach {
  readonly name: string;
  readonly law: TaskLaw;
  /** Profiles that show it: what is overridden there is of no account. */
  readonly kernels: readonly string[];
  /** Only with multi links of this design, which these kernels do not have themselves. */
  readonly multiLinks?: string;
  /** Variants of the design that show it as well. */
  readonly variants?: readonly string[];
  /** What the finding says: `expected / observed`. */
  readonly shows: RegExp;
  /** What has to be true besides of the scenario, with what `shows` has found in the finding. */
  readonly when?: (scenario: Scenario, found: RegExpExecArray) => boolean;
}

/** The first entry of a list that a breach in a scenario is an example of. */
export function knownTaskBreach<T extends KnownTaskBreach>(
  list: readonly T[],
  scenario: Scenario,
  { law, finding }: TaskBreach,
): T | undefined {
  const { kernel, multiLinks } = profileNamed(scenario.profile);
  const said = inOneLine(finding);
  const isIn = (profiles: readonly string[]) => profiles.some((one) => profileNamed(one).kernel === kernel);
  return list.find((one) => {
    if (one.law !== law || !isIn(one.kernels)) return false;
    if (![one.multiLinks ?? multiLinks, ...(one.variants ?? [])].includes(multiLinks)) return false;
    const found = one.shows.exec(said);
    return found !== null && (one.when?.(scenario, found) ?? true);
  });
}

import { PROFILES, profileNamed } from '../../model/core/profile.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { Cause } from './cause/cause.ts';
import { Causes } from './cause/cause.ts';
import { freedIn } from './cause/freed-thing.ts';
import type { CausePattern } from './cause/pattern.ts';
import { isCause } from './cause/pattern.ts';
import type { Occurrence } from './occurrence.ts';
import type { Space } from './space.ts';

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
  /** What it looks like. */
  readonly shows: (finding: TaskFinding, scenario: Scenario) => boolean;
  /** What brings it about. */
  readonly cause: CausePattern;
}

/** The first entry of a list that a breach is an example of. */
export function knownTaskBreach<T extends KnownTaskBreach>(
  list: readonly T[],
  one: Occurrence,
): T | undefined {
  const { scenario } = one.space;
  const { kernel, multiLinks } = profileNamed(scenario.profile);
  const isIn = (profiles: readonly string[]) => profiles.some((name) => profileNamed(name).kernel === kernel);
  let cause: Cause | undefined;
  return list.find((entry) => {
    if (entry.law !== one.law || !isIn(entry.kernels)) return false;
    if (![entry.multiLinks ?? PROFILES[kernel].multiLinks, ...(entry.variants ?? [])].includes(multiLinks))
      return false;
    if (!entry.shows(one.finding, scenario)) return false;
    cause ??= causeOf(one);
    return isCause(cause, entry.cause);
  });
}

/** What has brought a breach about. */
export function causeOf({ space, finding, history }: Occurrence): Cause {
  let causes = CAUSES.get(space);
  if (causes === undefined) {
    causes = new Causes(space);
    CAUSES.set(space, causes);
  }
  return causes.of(history(), freedIn(finding));
}

/** What is known of where tasks stand in each space. */
const CAUSES = new WeakMap<Space, Causes>();

import { behaviourNames } from '../../model/core/override.ts';
import type { KernelVersion, Profile } from '../../model/core/profile.ts';
import { PROFILES, profileNamed } from '../../model/core/profile.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { isSame } from '../../properties/finding/same.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { Cause } from './cause/cause.ts';
import { Causes } from './cause/cause.ts';
import { freedIn } from './cause/freed-thing.ts';
import type { CausePattern } from './cause/pattern.ts';
import { isCause } from './cause/pattern.ts';
import { withSleepers } from './family.ts';
import { ImpossibleSetup } from './impossible-setup.ts';
import type { Occurrence } from './occurrence.ts';
import { explore } from './search.ts';
import { Space } from './space.ts';

/** A breach of a law of interleavings that real kernels show: of which law, in which kernels, what it looks like. */
export interface KnownTaskBreach {
  readonly name: string;
  readonly law: TaskLaw;
  /** Profiles that show it: what is overridden there only lets it be set up. */
  readonly kernels: readonly string[];
  /** The behaviours of the kernel that it is one of: where one of them is overridden, it is another kernel's. */
  readonly restsOn: readonly ReplacedBehaviour[];
  /** Only with multi links of this design, which these kernels do not have themselves. */
  readonly multiLinks?: string;
  /** Other designs with which it shows as well, where multi links are set up. */
  readonly variants?: readonly string[];
  /** What it looks like. */
  readonly shows: (finding: TaskFinding, scenario: Scenario) => boolean;
  /** What brings it about. */
  readonly cause: CausePattern;
}

export type ReplacedBehaviour = keyof Profile;

/**
 * The first entry of a list that a breach is an example of. In a kernel that somebody has changed, by an override, a
 * design or a fault, it is one only if the kernel itself shows it as well, in the same scenario.
 */
export function knownTaskBreach<T extends KnownTaskBreach>(
  list: readonly T[],
  occurrence: Occurrence,
): T | undefined {
  return list.find(
    (entry) =>
      isCausedAs(entry, occurrence) && (isOwn(entry, occurrence.space) || isOfKernel(entry, occurrence)),
  );
}

/** The first entry that a breach is an example of if it was the kernel's own. */
export function knownByCause<T extends KnownTaskBreach>(
  list: readonly T[],
  occurrence: Occurrence,
): T | undefined {
  return list.find((entry) => isCausedAs(entry, occurrence));
}

function isCausedAs(entry: KnownTaskBreach, occurrence: Occurrence): boolean {
  const { scenario } = occurrence.space;
  const { kernel, multiLinks } = profileNamed(scenario.profile);
  if (entry.law !== occurrence.law || !entry.kernels.some((name) => profileNamed(name).kernel === kernel))
    return false;
  if (entry.multiLinks !== undefined && !designsOf(entry, kernel).includes(multiLinks)) return false;
  return entry.shows(occurrence.finding, scenario) && isCause(causeOf(occurrence), entry.cause);
}

function designsOf({ multiLinks, variants = [] }: KnownTaskBreach, kernel: KernelVersion): readonly string[] {
  return [multiLinks ?? PROFILES[kernel].multiLinks, ...variants];
}

/** Whether a kernel is one that an entry is listed for, with nothing changed. */
function isOwn(entry: KnownTaskBreach, { scenario, program }: Space): boolean {
  const profile = profileNamed(scenario.profile);
  const others = overriddenIn(profile).filter((behaviour) => behaviour !== 'multiLinks');
  return (
    program === KERNEL_PROGRAM &&
    others.every((behaviour) => ONLY_LETS_SET_UP.includes(behaviour)) &&
    designsOf(entry, profile.kernel).includes(profile.multiLinks)
  );
}

/** Without this no scenario can have a sleepable program in 6.1; what runs then is as in the others. */
const ONLY_LETS_SET_UP: readonly ReplacedBehaviour[] = ['sleepableTargets'];

function overriddenIn(profile: Profile): ReplacedBehaviour[] {
  const own = PROFILES[profile.kernel];
  return behaviourNames(own).filter((name) => profile[name] !== own[name]);
}

/** Whether the kernel without the change shows the same breach in the same scenario. */
function isOfKernel(entry: KnownTaskBreach, occurrence: Occurrence): boolean {
  const overridden = overriddenIn(profileNamed(occurrence.space.scenario.profile));
  if (entry.multiLinks !== undefined || entry.restsOn.some((behaviour) => overridden.includes(behaviour)))
    return false;
  let asked = UNCHANGED.get(occurrence.space);
  if (asked === undefined) UNCHANGED.set(occurrence.space, (asked = new Map()));
  const key = `${entry.name} ${JSON.stringify(occurrence.finding)}`;
  const known = asked.get(key);
  if (known !== undefined) return known;
  const shown = isShownUnchanged(entry, occurrence);
  asked.set(key, shown);
  return shown;
}

/** What was found of kernels without the change of a space. */
const UNCHANGED = new WeakMap<Space, Map<string, boolean>>();

/** States of the unchanged kernel that are looked at. */
const STATES = 100_000;

function isShownUnchanged(entry: KnownTaskBreach, { law, finding, space: changed }: Occurrence): boolean {
  const { profile, ...scenario } = changed.scenario;
  const space = spaceOf({ ...scenario, profile: withSleepers(profileNamed(profile).kernel) });
  if (space === undefined) return false;
  let shown = false;
  explore(space, {
    laws: [law],
    states: STATES,
    stopsAt: (other) => {
      shown = isSame(other.finding, finding) && isCausedAs(entry, other);
      return shown;
    },
  });
  return shown;
}

function spaceOf(scenario: Scenario): Space | undefined {
  try {
    return new Space(scenario);
  } catch (error) {
    if (error instanceof ImpossibleSetup) return undefined;
    throw error;
  }
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

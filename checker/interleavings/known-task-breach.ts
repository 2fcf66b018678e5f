import { behaviourNames } from '../../model/core/override.ts';
import type { KernelVersion, Profile } from '../../model/core/profile.ts';
import { PROFILES, profileNamed, RECORDED_PROFILES, recordedVersion } from '../../model/core/profile.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { likeOf, ONE_BY_ONE } from '../../model/trampoline/designs/chosen.ts';
import type { TaskFinding } from '../../properties/finding/task-finding.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { Cause } from './cause/cause.ts';
import { Causes } from './cause/cause.ts';
import { freedIn } from './cause/freed-thing.ts';
import type { CausePattern } from './cause/pattern.ts';
import { isCause } from './cause/pattern.ts';
import { withSleepers } from './family.ts';
import type { Occurrence } from './occurrence.ts';
import type { Space } from './space.ts';
import { isOnTheSameWay, isShownBy } from './unchanged-kernel.ts';

/** A breach of a law on interleavings in real kernels: of which law, in which kernels, its finding and its cause. */
export interface KnownTaskBreach {
  readonly name: string;
  readonly law: TaskLaw;
  /** Profiles that show it: overrides there only make the setup possible. */
  readonly kernels: readonly string[];
  /** The behaviours of the kernel that it depends on: where one of them is overridden, it is another breach. */
  readonly restsOn: readonly ReplacedBehaviour[];
  /** Only with multi links of this design, which these kernels do not have themselves. */
  readonly multiLinks?: string;
  /** Other designs that show it as well, where multi links are set up. */
  readonly variants?: readonly string[];
  /** Its finding. */
  readonly shows: (finding: TaskFinding, scenario: Scenario) => boolean;
  /** Its cause. */
  readonly cause: CausePattern;
}

export type ReplacedBehaviour = keyof Profile;

/**
 * The first entry of a list that a breach matches, entries of its design before those of the kernel. In a modified
 * kernel, by an override, a design or a fault, it counts only if the kernel itself shows it as well, in the same
 * scenario.
 */
export function knownTaskBreach<T extends KnownTaskBreach>(
  list: readonly T[],
  occurrence: Occurrence,
): T | undefined {
  const isCausedAs = causedAs(occurrence);
  const isOne = (entry: T) =>
    isCausedAs(entry) && (isOwn(entry, occurrence.space) || isOfKernel(entry, occurrence));
  return (
    list.find((entry) => entry.multiLinks !== undefined && isOne(entry)) ??
    list.find((entry) => entry.multiLinks === undefined && isOne(entry))
  );
}

/** The first entry that a breach matches if the kernel is unmodified. */
export function knownByCause<T extends KnownTaskBreach>(
  list: readonly T[],
  occurrence: Occurrence,
): T | undefined {
  return list.find(causedAs(occurrence));
}

/** Whether a breach matches an entry; its cause is found once, when an entry asks for it. */
function causedAs(occurrence: Occurrence): (entry: KnownTaskBreach) => boolean {
  const { law, finding, space } = occurrence;
  const { scenario } = space;
  const profile = profileNamed(scenario.profile);
  let cause: Cause | undefined;
  return (entry) => {
    if (entry.law !== law || !isListedFor(entry, profile) || !entry.shows(finding, scenario)) return false;
    cause ??= causeOf(occurrence);
    return isCause(cause, entry.cause);
  };
}

/** An entry applies to its kernels; that of a design to that design, and to those that attach like it. */
function isListedFor(entry: KnownTaskBreach, profile: Profile): boolean {
  if (!entry.kernels.some((name) => profileNamed(name).kernel === profile.kernel)) return false;
  if (entry.multiLinks === undefined) return true;
  const designs = designsOf(entry, profile.kernel);
  return designs.includes(profile.multiLinks) || likeIn(designs, profile) !== undefined;
}

/** Designs that an entry is listed for; of a breach of the kernel's own, those that show it as the kernel does. */
function designsOf({ multiLinks, variants = [] }: KnownTaskBreach, kernel: KernelVersion): readonly string[] {
  const own = multiLinks === undefined ? [PROFILES[kernel].multiLinks, ONE_BY_ONE] : [multiLinks];
  return [...own, ...variants];
}

/** The one of some designs that the design of a kernel says it attaches like. */
function likeIn(designs: readonly string[], profile: Profile): string | undefined {
  const like = likeOf(profile);
  return designs.find((design) => design === like);
}

/** Whether a kernel is one that an entry is listed for, with nothing changed. */
function isOwn(entry: KnownTaskBreach, { scenario, program }: Space): boolean {
  const profile = profileNamed(scenario.profile);
  const others = overriddenIn(scenario.profile).filter((behaviour) => behaviour !== 'multiLinks');
  return (
    program === KERNEL_PROGRAM &&
    others.every((behaviour) => ONLY_LETS_SET_UP.includes(behaviour)) &&
    designsOf(entry, profile.kernel).includes(profile.multiLinks)
  );
}

/** Without this no scenario can have a sleepable program in 6.1; nothing else changes. */
const ONLY_LETS_SET_UP: readonly ReplacedBehaviour[] = ['sleepableTargets'];

function overriddenIn(name: string): readonly ReplacedBehaviour[] {
  let overridden = OVERRIDDEN.get(name);
  if (overridden === undefined) {
    const [profile, own] = [profileNamed(name), RECORDED_PROFILES[recordedVersion(name)]];
    overridden = behaviourNames(own).filter((behaviour) => profile[behaviour] !== own[behaviour]);
    OVERRIDDEN.set(name, overridden);
  }
  return overridden;
}

/** By the names of profiles, whose behaviours never change. */
const OVERRIDDEN = new Map<string, readonly ReplacedBehaviour[]>();

/** Whether the kernel without the change shows the same breach in the same scenario. */
function isOfKernel(entry: KnownTaskBreach, occurrence: Occurrence): boolean {
  const profiles = unchangedFor(entry, occurrence.space.scenario.profile);
  if (profiles.length === 0) return false;
  let asked = UNCHANGED.get(occurrence.space);
  if (asked === undefined) UNCHANGED.set(occurrence.space, (asked = new Map()));
  const key = `${entry.name} ${JSON.stringify(occurrence.finding)}`;
  const known = asked.get(key);
  if (known === true) return true;
  const isOne = (other: Occurrence) => causedAs(other)(entry);
  const shown =
    profiles.some((profile) => isOnTheSameWay(profile, occurrence, isOne)) ||
    (known ?? profiles.some((profile) => isShownBy(profile, occurrence, isOne)));
  asked.set(key, shown);
  return shown;
}

/**
 * The kernels of which one has to show a breach for it to be known in another: as it is, or with single links where
 * that has no link to many functions; or the design that another attaches like. Empty: a behaviour that it depends on
 * was overridden.
 */
function unchangedFor(entry: KnownTaskBreach, name: string): readonly string[] {
  const profile = profileNamed(name);
  const own = withSleepers(recordedVersion(name));
  const like = likeIn(designsOf(entry, profile.kernel), profile);
  if (entry.multiLinks !== undefined && like === undefined) return [];
  const replaced = overriddenIn(name).filter((item) => like === undefined || item !== 'multiLinks');
  if (entry.restsOn.some((behaviour) => replaced.includes(behaviour))) return [];
  const withLinks = `${own}, multiLinks = ${like ?? ONE_BY_ONE}`;
  return entry.multiLinks === undefined ? [own, withLinks] : [withLinks];
}

/** The findings in kernels without the change of a space. */
const UNCHANGED = new WeakMap<Space, Map<string, boolean>>();

/** The cause of a breach. */
export function causeOf({ space, finding, history }: Occurrence): Cause {
  let causes = CAUSES.get(space);
  if (causes === undefined) {
    causes = new Causes(space);
    CAUSES.set(space, causes);
  }
  return causes.of(history(), freedIn(finding));
}

/** The places of tasks, cached for each space. */
const CAUSES = new WeakMap<Space, Causes>();

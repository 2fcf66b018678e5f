import type { KernelVersion, Profile } from '../../model/core/profile.ts';
import { PROFILES, profileNamed } from '../../model/core/profile.ts';
import type { AttachBreach } from './run-sequence.ts';

/** A breach that real kernels show: of which law, in which kernels, what it looks like and what causes it. */
export interface KnownAttachBreach {
  readonly name: string;
  readonly law: string;
  readonly kernels: readonly KernelVersion[];
  /** Only with multi links of this design, which these kernels do not have themselves. */
  readonly multiLinks?: string;
  /** Further designs that have it as well; of a breach of the kernel's own, those that leave what is wrong to the kernel. */
  readonly variants?: readonly string[];
  /** Behaviours of the kernel that it rests on: where one of them is replaced it is not this breach. */
  readonly restsOn?: readonly (keyof Profile)[];
  /** Whether a breach is this one, by the fields of its finding and by what has led to it. */
  readonly matches: (breach: AttachBreach) => boolean;
  /** It leaves nothing behind: a sequence goes on after it. */
  readonly goesOn?: true;
}

/** Whether a breach looks like one that is listed, in the profile that it was seen in. */
export function isListed(entry: KnownAttachBreach, breach: AttachBreach): boolean {
  const { law, kernels, multiLinks, variants = [], restsOn = [] } = entry;
  const profile = profileNamed(breach.moment.before.profile);
  if (breach.law.name !== law || !kernels.includes(profile.kernel)) return false;
  if (multiLinks !== undefined && ![multiLinks, ...variants].includes(profile.multiLinks)) return false;
  if (restsOn.some((behaviour) => replacedIn(profile).includes(behaviour))) return false;
  return entry.matches(breach);
}

/** A design that has no code of its own: a link to many functions is as many links to one. */
const ONE_BY_ONE = 'one by one';

/** Whether a profile is what an entry is listed for, and nothing besides was changed. */
export function isUnchanged({ multiLinks, variants = [] }: KnownAttachBreach, profile: string): boolean {
  const seen = profileNamed(profile);
  const designs = [ONE_BY_ONE, ...variants];
  return replacedIn(seen).every(
    (item) => item === 'multiLinks' && (multiLinks !== undefined || designs.includes(seen.multiLinks)),
  );
}

/**
 * The profiles that have to show a breach for it to be known in another: the design that it is listed for, or the kernel
 * as it is, or with single links where that has no link to many functions.
 */
export function unchangedFor({ multiLinks }: KnownAttachBreach, profile: string): readonly string[] {
  const seen = profileNamed(profile);
  if (multiLinks !== undefined) return [`${seen.kernel}, multiLinks = ${seen.multiLinks}`];
  return [seen.kernel, `${seen.kernel}, multiLinks = ${ONE_BY_ONE}`];
}

/** The behaviours of a profile that are not those of its kernel. */
function replacedIn(profile: Profile): readonly (keyof Profile)[] {
  return differing(profile, PROFILES[profile.kernel]);
}

function differing<T extends object>(item: T, other: T): (keyof T)[] {
  const keys: (keyof T)[] = [];
  for (const key in item) if (item[key] !== other[key]) keys.push(key);
  return keys;
}

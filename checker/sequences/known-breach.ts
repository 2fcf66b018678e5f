import { isCapacity } from '../../model/core/override.ts';
import type { KernelVersion, Profile } from '../../model/core/profile.ts';
import { profileNamed, RECORDED_PROFILES, recordedVersion } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { likeOf, ONE_BY_ONE } from '../../model/trampoline/designs/chosen.ts';
import { isForProfile } from '../for-profile.ts';
import type { AttachBreach } from './played.ts';

/** A breach of real kernels: of which law, in which kernels, its finding and its cause. */
export interface KnownAttachBreach {
  readonly name: string;
  readonly law: string;
  readonly kernels: readonly KernelVersion[];
  /** Only with multi links of this design, which these kernels do not have themselves. */
  readonly multiLinks?: string;
  /**
   * Further designs that have it as well. A breach of the kernel's own is one beside the links of every design here, if
   * nothing else is stated; of a design that is not here, it is one where single links show it.
   */
  readonly variants?: readonly string[];
  /** Of a breach of the kernel's own: designs whose links meet it themselves, and which list it as theirs. */
  readonly except?: readonly string[];
  /** Behaviours of the kernel that it depends on: where one of them is overridden it is not this breach. */
  readonly restsOn?: readonly (keyof Profile)[];
  /** Whether a breach is this one, by the fields of its finding and by the steps before it. */
  readonly matches: (breach: AttachBreach) => boolean;
  /** It does not corrupt the state: a sequence continues after it. */
  readonly goesOn?: true;
}

/** Whether a breach looks like one that is listed, in the profile that it was seen in. */
export function isListed(entry: KnownAttachBreach, breach: AttachBreach): boolean {
  const { law, multiLinks } = entry;
  const { profile: name } = breach.moment.before;
  const profile = profileNamed(name);
  if (breach.law.name !== law) return false;
  const told = { ...profile, multiLinks: likeOf(profile) ?? profile.multiLinks };
  const isOf = (design: string) => design === profile.multiLinks || design === told.multiLinks;
  if (multiLinks !== undefined && !designsOf(entry).some(isOf)) return false;
  return isForProfile(entry, told) && entry.matches(breach);
}

const EVERY_DESIGN = DESIGNS.map(({ name }) => name);

/** Designs that an entry is listed for. */
export function designsOf({ multiLinks, variants, except = [] }: KnownAttachBreach): readonly string[] {
  if (multiLinks !== undefined) return [multiLinks, ...(variants ?? [])];
  return [ONE_BY_ONE, ...(variants ?? EVERY_DESIGN.filter((name) => !except.includes(name)))];
}

/** Whether an entry is listed for a profile, with nothing else overridden than how much of something there is. */
export function isUnchanged(entry: KnownAttachBreach, profile: string): boolean {
  const seen = profileNamed(profile);
  return differing(seen, RECORDED_PROFILES[recordedVersion(profile)]).every(
    (item) => isCapacity(item) || (item === 'multiLinks' && designsOf(entry).includes(seen.multiLinks)),
  );
}

/**
 * The profiles that have to show a breach for it to be known in another: the design alone that it is listed for, or the
 * kernel as it is, or with single links where it is not listed for the design. Instead of a design, the one that it
 * attaches like.
 */
export function unchangedFor(entry: KnownAttachBreach, profile: string): readonly string[] {
  const seen = profileNamed(profile);
  const designs = designsOf(entry);
  const own = recordedVersion(profile);
  const withLinks = (design: string) => `${own}, multiLinks = ${design}`;
  const listed = [likeOf(seen), seen.multiLinks].find((design) => designs.some((name) => name === design));
  if (entry.multiLinks !== undefined) return [withLinks(listed ?? seen.multiLinks)];
  return [own, withLinks(listed ?? ONE_BY_ONE)];
}

function differing<T extends object>(item: T, other: T): (keyof T)[] {
  const keys: (keyof T)[] = [];
  for (const key in item) if (item[key] !== other[key]) keys.push(key);
  return keys;
}

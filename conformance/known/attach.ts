import type { ListedFor } from '../../checker/for-profile.ts';
import { isForProfile } from '../../checker/for-profile.ts';
import type { KnownAttachBreach } from '../../checker/sequences/known-breach.ts';
import type { AttachBreach } from '../../checker/sequences/played.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed, RECORDED_KERNELS } from '../../model/core/profile.ts';
import type { AttachFinding, AttachFindingOf, AttachTag } from '../../properties/finding/attach-finding.ts';

/** A law on sequences that a real kernel breaks, with the evidence. */
export interface KnownAttach extends KnownAttachBreach {
  readonly sentence: string;
  /** The recording, the answer of a kernel, or the source that shows it. */
  readonly evidence: string;
  /**
   * Client calls on f1 and f2, with `; ` between them, in the spelling of the first of its kernels: in each of them
   * they break the law in this way as long as it is listed, and in no other.
   */
  readonly example: string;
}

/** An entry as written: the tags of its finding, and the conditions on its fields and on its cause. */
export interface KnownForm<T extends AttachTag> extends Omit<KnownAttach, 'matches'> {
  readonly finding: T | readonly T[];
  readonly when: (finding: AttachFindingOf<T>, breach: AttachBreach) => boolean;
}

/** The name of a mechanism: entries of one that several laws see end in `-seen-by-` and the law. */
export function mechanismName(name: string): string {
  return name.replace(/-seen-by-.*$/, '');
}

/** Entries by their mechanism, in the order of the first of each. */
export function byMechanism<E extends { readonly name: string }>(
  entries: readonly E[],
): ReadonlyMap<string, readonly [E, ...E[]]> {
  const found = new Map<string, [E, ...E[]]>();
  for (const entry of entries) {
    const name = mechanismName(entry.name);
    const own = found.get(name);
    if (own === undefined) found.set(name, [entry]);
    else own.push(entry);
  }
  return found;
}

/** The kernels of one of some entries, and those near to them that have what it rests on. */
export function recordedKernelsOf(entries: readonly ListedFor[]): RecordedVersion[] {
  return RECORDED_KERNELS.filter((version) =>
    entries.some((entry) => isForProfile(entry, profileNamed(version))),
  );
}

/** An entry of the list. */
export function known<const T extends AttachTag>({ finding, when, ...entry }: KnownForm<T>): KnownAttach {
  const tags = typeof finding === 'string' ? [finding] : finding;
  return { ...entry, matches: (breach) => isOf(breach.finding, tags) && when(breach.finding, breach) };
}

function isOf<T extends AttachTag>(
  finding: AttachFinding,
  tags: readonly T[],
): finding is AttachFindingOf<T> {
  return tags.some((tag) => tag === finding.is);
}

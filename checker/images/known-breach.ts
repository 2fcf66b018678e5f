import type { KernelVersion, Profile } from '../../model/core/profile.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { isForProfile } from '../for-profile.ts';
import type { Breach } from './paths.ts';

/** A breach of real kernels in images: of which law, in which kernels, its finding and its cause. */
export interface Known {
  readonly name: string;
  readonly law: string;
  readonly kernels: readonly KernelVersion[];
  /** Behaviours of the kernel that it depends on. */
  readonly restsOn?: readonly (keyof Profile)[];
  /**
   * Whether a breach is this one, by the fields of its finding, by the path to it, and by the request for the image.
   */
  readonly matches: (breach: Breach, subject: Subject) => boolean;
}

/** The known breach that one is, if any. */
export type Excuse = (breach: Breach) => Known | undefined;

/**
 * The entry of a list that covers a breach of an image. In an image that the kernel does not generate itself it
 * counts only if the kernel's own image for the same programs and function shows it, in the same place.
 */
export function excuseFor(
  list: readonly Known[],
  subject: Subject,
  ownOfKernel?: () => ReadonlySet<string>,
): Excuse {
  const { profile } = subject.request;
  let own: ReadonlySet<string> | undefined;
  return (breach) => {
    const entry = list.find(
      (each) => each.law === breach.law.name && isForProfile(each, profile) && each.matches(breach, subject),
    );
    if (entry === undefined || ownOfKernel === undefined) return entry;
    own ??= ownOfKernel();
    return own.has(placeOfKnown(entry, breach)) ? entry : undefined;
  };
}

/** Which known breach occurs where: the same in two images, whatever the values and wherever their code is. */
export function placeOfKnown({ name }: Known, { finding }: Breach): string {
  const place = JSON.stringify(finding, (key, value: unknown) =>
    MAY_DIFFER.includes(key) ? undefined : value,
  );
  return `${name} ${place}`;
}

const MAY_DIFFER = ['observed', 'offset'];

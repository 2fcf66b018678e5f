import type { KernelVersion } from '../../model/core/profile.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import type { Breach } from './paths.ts';

/** A breach that real kernels show in images: of which law, in which kernels, what it looks like and what causes it. */
export interface Known {
  readonly name: string;
  readonly law: string;
  readonly kernels: readonly KernelVersion[];
  /** Whether a breach is this one, by the fields of its finding, by the path to it, and by what the image is made for. */
  readonly matches: (breach: Breach, subject: Subject) => boolean;
}

/** The known breach that one is, if any. */
export type Excuse = (breach: Breach) => Known | undefined;

/**
 * The entry of a list that covers a breach of an image. In an image that the kernel does not make itself it holds only if
 * the kernel's own one for the same programs and function shows it, in the same place.
 */
export function excuseFor(
  list: readonly Known[],
  subject: Subject,
  ownOfKernel?: () => ReadonlySet<string>,
): Excuse {
  const { kernel } = subject.request.profile;
  let own: ReadonlySet<string> | undefined;
  return (breach) => {
    const entry = list.find(
      ({ law, kernels, matches }) =>
        law === breach.law.name && kernels.includes(kernel) && matches(breach, subject),
    );
    if (entry === undefined || ownOfKernel === undefined) return entry;
    own ??= ownOfKernel();
    return own.has(placeOfKnown(entry, breach)) ? entry : undefined;
  };
}

/** Which known breach shows where: the same in two images, whatever is found there and wherever their code lies. */
export function placeOfKnown({ name }: Known, { finding }: Breach): string {
  const place = JSON.stringify(finding, (key, value: unknown) =>
    MAY_DIFFER.includes(key) ? undefined : value,
  );
  return `${name} ${place}`;
}

const MAY_DIFFER = ['observed', 'offset'];

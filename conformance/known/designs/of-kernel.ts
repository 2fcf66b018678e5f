import type { KnownAttach } from '../attach.ts';
import { KNOWN_ANSWERS } from '../attach-answers.ts';
import { KNOWN_ATTACH_CALLS } from '../attach-calls.ts';
import { KNOWN_FIRINGS } from '../attach-firings.ts';
import { KNOWN_LEFTOVERS } from '../attach-leftovers.ts';
import { KNOWN_LIFETIMES } from '../attach-lifetimes.ts';
import { KNOWN_NOTRACE } from '../attach-notrace.ts';
import { KNOWN_RECORDS } from '../attach-records.ts';
import { KNOWN_REFUSALS } from '../attach-refusals.ts';

const OF_KERNELS: readonly KnownAttach[] = [
  ...KNOWN_FIRINGS,
  ...KNOWN_NOTRACE,
  ...KNOWN_RECORDS,
  ...KNOWN_REFUSALS,
  ...KNOWN_LIFETIMES,
  ...KNOWN_LEFTOVERS,
  ...KNOWN_ATTACH_CALLS,
  ...KNOWN_ANSWERS,
];

/**
 * A bug of the kernel that links of a design meet in their own way: the kernel without them does not show it at the
 * same step, and the design leaves the faulty part to the kernel.
 */
export function asLinksShow(
  listed: string,
  design: Pick<KnownAttach, 'kernels' | 'multiLinks' | 'variants'>,
  own: Pick<KnownAttach, 'name' | 'example'>,
): KnownAttach {
  const entry = OF_KERNELS.find(({ name }) => name === listed);
  if (entry === undefined) throw new Error(`no breach of the kernel's own is listed as ${listed}`);
  const { variants: _, except: __, ...shown } = entry;
  return { ...shown, ...design, ...own };
}

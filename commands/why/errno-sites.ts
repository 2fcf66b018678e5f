import { RETURN_SITES } from '../../conformance/known/return-sites.ts';
import type { Refusal, ReturnSite } from '../../counterexamples/sequences/sites.ts';
import { refusalsOf, siteName } from '../../counterexamples/sequences/sites.ts';
import type { Errno } from '../../model/core/errno.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { NearVersion } from '../../model/core/near-kernels.ts';
import { NEAR_KERNELS } from '../../model/core/near-kernels.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';

/** How easily a sequence of calls reaches a return site of a kernel. */
export type Likelihood = 'common' | 'rare' | 'never';

/** A return site, and how likely it is in each of the kernels. */
export interface LikelySite extends Refusal {
  readonly in: readonly { readonly kernel: RecordedVersion; readonly is: Likelihood }[];
  /** Why no sequence reaches it in any kernel. */
  readonly never: string | undefined;
}

/** The return sites with this answer, the most likely first; those that are not known to be reachable come last. */
export function sitesOf(errno: Errno, kernels: readonly RecordedVersion[]): LikelySite[] {
  const own = new Map(
    refusalsOf(KERNEL_PROGRAM)
      .filter((refusal) => refusal.errno === errno)
      .map((refusal) => [siteName(refusal, errno), refusal]),
  );
  const sites = RETURN_SITES.flatMap((known) => {
    const refusal = own.get(known.site);
    return refusal === undefined ? [] : [likely(refusal, known, kernels)];
  });
  if (sites.length === 0) throw new InputError(`no return site of these kernels answers ${errno}`, errno);
  return sites
    .filter((site) => site.never !== undefined || weight(site, 'common') + weight(site, 'rare') > 0)
    .toSorted((a, b) => weight(b, 'common') - weight(a, 'common') || weight(b, 'rare') - weight(a, 'rare'));
}

function likely(refusal: Refusal, known: ReturnSite, kernels: readonly RecordedVersion[]): LikelySite {
  return {
    ...refusal,
    in: kernels.map((kernel) => ({ kernel, is: likelihoodIn(known, kernel) })),
    never: known.never,
  };
}

/** In a kernel that is near to another one it is as likely as there, unless one of them never takes it. */
function likelihoodIn({ site, reached, seldom = [] }: ReturnSite, version: RecordedVersion): Likelihood {
  const { kernel } = profileNamed(version);
  const isSearched = version === kernel;
  if (!isSearched && NEAR_KERNELS[version as NearVersion].unreached.includes(site)) return 'never';
  if (reached.includes(kernel)) return 'common';
  return seldom.includes(kernel) || seldom.includes(version) ? 'rare' : 'never';
}

/** The number of kernels in which it has this likelihood. */
function weight(site: LikelySite, likelihood: Likelihood): number {
  return site.in.filter(({ is }) => is === likelihood).length;
}

import { RETURN_SITES } from '../../conformance/known/return-sites.ts';
import type { Likelihood, Refusal, ReturnSite } from '../../counterexamples/sequences/sites.ts';
import { likelihoodIn, siteNamed } from '../../counterexamples/sequences/sites.ts';
import type { Errno } from '../../model/core/errno.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';

/** A return site, and how likely it is in each of the kernels. */
export interface LikelySite extends Refusal {
  readonly in: readonly { readonly kernel: RecordedVersion; readonly is: Likelihood }[];
  /** Why no sequence reaches it in any kernel. */
  readonly never: string | undefined;
}

/** The return sites with this answer, the most likely first; those that are not known to be reachable come last. */
export function sitesOf(errno: Errno, kernels: readonly RecordedVersion[]): LikelySite[] {
  const sites = RETURN_SITES.flatMap((known) => {
    const refusal = siteNamed(known.site);
    return refusal.errno === errno ? [likely(refusal, known, kernels)] : [];
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

/** The number of kernels in which it has this likelihood. */
function weight(site: LikelySite, likelihood: Likelihood): number {
  return site.in.filter(({ is }) => is === likelihood).length;
}

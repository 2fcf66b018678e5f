import { nameOfSite } from '../../../model/contract/changes.ts';
import type { Ip } from '../../../model/core/ids.ts';
import type { Profile } from '../../../model/core/profile.ts';

/** A direct call by address is an object of its own, whose name is that of its site. */
function siteObject({ ip }: { readonly ip: Ip }): string {
  return nameOfSite({ ops: undefined, ip });
}

/** The part common to every call on the direct call of a site. */
export const SITE_LIFE = {
  effort: 5,
  lifeOf: siteObject,
  objectsOf: (action: { readonly ip: Ip }) => [siteObject(action)],
};

/** How often such calls are drawn: only kernels before 6.4 have them. */
export function perSiteWeight({ directApi }: Profile): number {
  return directApi === 'ip and multi' ? 3 : 0;
}

import { nameOfSite } from '../../../model/contract/changes.ts';
import type { Ip } from '../../../model/core/ids.ts';
import type { Profile } from '../../../model/core/profile.ts';

/** A direct call by address is an object of its own, whose name is that of its site. */
export function siteObject({ ip }: { readonly ip: Ip }): string {
  return nameOfSite({ ops: undefined, ip });
}

export function siteObjects(action: { readonly ip: Ip }): readonly string[] {
  return [siteObject(action)];
}

/** How often such calls are drawn: only kernels until 6.3 have them. */
export function perSiteWeight({ directApi }: Profile): number {
  return directApi === 'ip and multi' ? 3 : 0;
}

/** The same of tables of direct calls, which the newest kernels have. */
export function tableWeight({ directApi }: Profile): number {
  return directApi === 'ops and hash' ? 3 : 0;
}

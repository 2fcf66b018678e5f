import type { UnregisterFtraceDirectIp } from '../../../model/client/unregister-ftrace-direct-ip.ts';
import { actions } from '../draw/weighed.ts';
import { ADDR } from './drawn-names.ts';
import type { SearchedCall } from './searched-call.ts';
import { perSiteWeight, SITE_LIFE } from './site-life.ts';

export const searchedUnregisterFtraceDirectIp: SearchedCall<UnregisterFtraceDirectIp> = {
  ...SITE_LIFE,
  draw: ({ profile, ip }) => [
    actions(perSiteWeight(profile), 'unregister_ftrace_direct(ip)', { ip, addr: ADDR }),
  ],
  isLikely: (p, { ip, addr }) =>
    p.clients.some(
      ({ site, who }) => site !== undefined && site.ops === undefined && site.ip === ip && who === addr,
    ),
  rashness: 3,
};

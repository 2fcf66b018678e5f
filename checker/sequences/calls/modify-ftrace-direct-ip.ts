import type { ModifyFtraceDirectIp } from '../../../model/client/modify-ftrace-direct-ip.ts';
import { actions } from '../draw/weighed.ts';
import { ADDR } from './drawn-names.ts';
import type { SearchedCall } from './searched-call.ts';
import { perSiteWeight, SITE_LIFE } from './site-life.ts';

export const searchedModifyFtraceDirectIp: SearchedCall<ModifyFtraceDirectIp> = {
  ...SITE_LIFE,
  draw: ({ profile, ip }) => [
    actions(perSiteWeight(profile), 'modify_ftrace_direct(ip)', { ip, oldAddr: ADDR, newAddr: ADDR }),
  ],
  isLikely: (p, { ip, oldAddr }) =>
    p.clients.some(({ kind, who, ips }) => kind === 'direct' && who === oldAddr && ips[0] === ip),
  rashness: 3,
};

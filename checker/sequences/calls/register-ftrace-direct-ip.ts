import type { RegisterFtraceDirectIp } from '../../../model/client/register-ftrace-direct-ip.ts';
import { actions } from '../draw/weighed.ts';
import { ADDR } from './drawn-names.ts';
import type { SearchedCall } from './searched-call.ts';
import { always } from './searched-call.ts';
import { perSiteWeight, SITE_LIFE } from './site-life.ts';

export const searchedRegisterFtraceDirectIp: SearchedCall<RegisterFtraceDirectIp> = {
  ...SITE_LIFE,
  draw: ({ profile, ip }) => [
    actions(perSiteWeight(profile), 'register_ftrace_direct(ip)', { ip, addr: ADDR }),
  ],
  isLikely: always,
};

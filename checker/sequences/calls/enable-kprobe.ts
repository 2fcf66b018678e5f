import type { EnableKprobe } from '../../../model/client/enable-kprobe.ts';
import { actions } from '../draw/weighed.ts';
import { PROBE } from './drawn-names.ts';
import { isSwitched } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedEnableKprobe: SearchedCall<EnableKprobe> = {
  draw: () => [actions(2, 'enable_kprobe', { kp: PROBE })],
  isLikely: (p, { kp }) => isSwitched(p, kp, 'off'),
  effort: 3,
  lifeOf: ({ kp }) => kp,
  objectsOf: ({ kp }) => [`kprobe ${kp}`],
};

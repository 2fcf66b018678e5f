import type { DisableKprobe } from '../../../model/client/disable-kprobe.ts';
import { isKretprobe } from '../../../model/client/switched-probe.ts';
import { actions } from '../draw/weighed.ts';
import { PROBE } from './drawn-names.ts';
import { isSwitched } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedDisableKprobe: SearchedCall<DisableKprobe> = {
  draw: () => [actions(2, 'disable_kprobe', { kp: PROBE })],
  isLikely: (p, { kp }) => isSwitched(p, kp, 'on'),
  effort: 3,
  plainer: ({ kp }) => [
    isKretprobe(kp) ? { do: 'unregister_kretprobe', kretprobe: kp } : { do: 'unregister_kprobe', kprobe: kp },
  ],
  lifeOf: ({ kp }) => kp,
  objectsOf: ({ kp }) => [`kprobe ${kp}`],
};

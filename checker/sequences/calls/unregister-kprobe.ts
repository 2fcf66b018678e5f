import type { UnregisterKprobe } from '../../../model/client/unregister-kprobe.ts';
import { actions } from '../draw/weighed.ts';
import { KPROBE } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedUnregisterKprobe: SearchedCall<UnregisterKprobe> = {
  draw: () => [actions(4, 'unregister_kprobe', { kprobe: KPROBE })],
  isLikely: (p, { kprobe }) => isLive(p, kprobe),
  effort: 2,
  lifeOf: ({ kprobe }) => kprobe,
  objectsOf: ({ kprobe }) => [`kprobe ${kprobe}`],
  givesBack: ({ kprobe }) => ({ do: 'kfree', object: kprobe }),
};

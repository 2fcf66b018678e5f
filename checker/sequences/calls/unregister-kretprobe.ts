import type { UnregisterKretprobe } from '../../../model/client/unregister-kretprobe.ts';
import { actions } from '../draw/weighed.ts';
import { KRETPROBE } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedUnregisterKretprobe: SearchedCall<UnregisterKretprobe> = {
  draw: () => [actions(2, 'unregister_kretprobe', { kretprobe: KRETPROBE })],
  isLikely: (p, { kretprobe }) => isLive(p, kretprobe),
  effort: 4,
  lifeOf: ({ kretprobe }) => kretprobe,
  objectsOf: ({ kretprobe }) => [`kretprobe ${kretprobe}`],
  givesBack: ({ kretprobe }) => ({ do: 'kfree', object: kretprobe }),
};

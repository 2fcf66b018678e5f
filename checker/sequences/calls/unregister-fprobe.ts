import type { UnregisterFprobe } from '../../../model/client/unregister-fprobe.ts';
import { actions } from '../draw/weighed.ts';
import { FPROBE } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

export const searchedUnregisterFprobe: SearchedCall<UnregisterFprobe> = {
  draw: ({ profile }) => [
    actions(profile.fprobe === 'none' ? 0 : 2, 'unregister_fprobe', { fprobe: FPROBE }),
  ],
  isLikely: (p, { fprobe }) => isLive(p, fprobe),
  rashness: 3,
  effort: 3,
  lifeOf: ({ fprobe }) => fprobe,
  objectsOf: ({ fprobe }) => [`fprobe ${fprobe}`],
  givesBack: ({ fprobe }) => ({ do: 'kfree', object: fprobe }),
};

import fc from 'fast-check';
import type { RegisterKretprobe } from '../../../model/client/register-kretprobe.ts';
import { actions } from '../draw/weighed.ts';
import { KRETPROBE } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedRegisterKretprobe: SearchedCall<RegisterKretprobe> = {
  draw: ({ ip }) => [
    actions(3, 'register_kretprobe', {
      kretprobe: KRETPROBE,
      ip,
      maxactive: fc.constantFrom(1, 2, 0),
      entryHandler: fc.boolean(),
    }),
  ],
  isLikely: (p, { kretprobe }) => !isLive(p, kretprobe),
  effort: 4,
  optionEffort: ({ entryHandler, maxactive }) => count(entryHandler) + maxactive,
  plainer: (action) => [
    { ...action, entryHandler: false },
    ...(action.maxactive > 0 ? [{ ...action, maxactive: 0 }] : []),
  ],
  lifeOf: ({ kretprobe }) => kretprobe,
  objectsOf: ({ kretprobe }) => [`kretprobe ${kretprobe}`],
};

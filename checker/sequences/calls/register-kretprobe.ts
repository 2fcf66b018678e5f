import fc from 'fast-check';
import type { RegisterKretprobe } from '../../../model/client/register-kretprobe.ts';
import { weighed } from '../draw/weighed.ts';
import { KRETPROBE } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

/** No `vetoes`: written by hand only. */
export const searchedRegisterKretprobe: SearchedCall<RegisterKretprobe> = {
  draw: ({ ip }) => [
    weighed(
      3,
      fc.record({
        do: fc.constant('register_kretprobe'),
        kretprobe: KRETPROBE,
        ip,
        maxactive: fc.constantFrom(1, 2, 0),
        entryHandler: fc.boolean(),
      }),
    ),
  ],
  isLikely: (p, { kretprobe }) => !isLive(p, kretprobe),
  effort: 4,
  optionEffort: ({ entryHandler, vetoes = false, maxactive }) => count(entryHandler, vetoes) + maxactive,
  plainer: ({ vetoes, ...action }) => [
    ...(vetoes === true ? [action] : []),
    { ...action, entryHandler: false },
    ...(action.maxactive > 0 ? [{ ...action, maxactive: 0, ...(vetoes === true ? { vetoes } : {}) }] : []),
  ],
  lifeOf: ({ kretprobe }) => kretprobe,
  objectsOf: ({ kretprobe }) => [`kretprobe ${kretprobe}`],
};

import fc from 'fast-check';
import type { RegisterKprobe } from '../../../model/client/register-kprobe.ts';
import { actions } from '../draw/weighed.ts';
import { KPROBE } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedRegisterKprobe: SearchedCall<RegisterKprobe> = {
  draw: ({ ip }) => [actions(5, 'register_kprobe', { kprobe: KPROBE, ip, post: fc.boolean() })],
  isLikely: (p, { kprobe }) => !isLive(p, kprobe),
  effort: 2,
  optionEffort: ({ post }) => 5 * count(post),
  plainer: (action) => [{ ...action, post: false }],
  lifeOf: ({ kprobe }) => kprobe,
  objectsOf: ({ kprobe }) => [`kprobe ${kprobe}`],
};

import fc from 'fast-check';
import type { RegisterKprobe } from '../../../model/client/register-kprobe.ts';
import { rarely, weighed } from '../draw/weighed.ts';
import { KPROBE } from './drawn-names.ts';
import { isElsewhere, OFFSET, placesOf } from './probe-offset.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedRegisterKprobe: SearchedCall<RegisterKprobe> = {
  draw: ({ ip }) => [weighed(5, registrations(ip))],
  isLikely: (p, { kprobe }) => !isLive(p, kprobe),
  effort: 2,
  optionEffort: ({ post, offset, disabled = false }) =>
    5 * count(post) + 2 * count(offset !== undefined) + count(isElsewhere(offset)) + count(disabled),
  plainer: (action) => [{ ...action, post: false }, ...enabled(action), ...placesOf(action)],
  lifeOf: ({ kprobe }) => kprobe,
  objectsOf: ({ kprobe }) => [`kprobe ${kprobe}`],
};

function enabled({ disabled, ...plain }: RegisterKprobe): RegisterKprobe[] {
  return disabled === true ? [plain] : [];
}

function registrations(ip: fc.Arbitrary<string>): fc.Arbitrary<RegisterKprobe> {
  return fc.tuple(KPROBE, ip, fc.boolean(), rarely, OFFSET).map(([kprobe, site, post, disabled, offset]) => ({
    do: 'register_kprobe',
    kprobe,
    ip: site,
    ...(offset === 0 ? {} : { offset }),
    post,
    ...(disabled ? { disabled } : {}),
  }));
}

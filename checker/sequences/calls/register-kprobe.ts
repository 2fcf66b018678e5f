import fc from 'fast-check';
import type { RegisterKprobe } from '../../../model/client/register-kprobe.ts';
import { rarely, weighed } from '../draw/weighed.ts';
import { KPROBE } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedRegisterKprobe: SearchedCall<RegisterKprobe> = {
  draw: ({ ip }) => [weighed(5, registrations(ip))],
  isLikely: (p, { kprobe }) => !isLive(p, kprobe),
  effort: 2,
  optionEffort: ({ post, offset, disabled = false }) =>
    5 * count(post) + 2 * count(offset !== undefined) + count(isElsewhere(offset)) + count(disabled),
  plainer: (action) => [{ ...action, post: false }, ...enabled(action), ...atEntry(action)],
  lifeOf: ({ kprobe }) => kprobe,
  objectsOf: ({ kprobe }) => [`kprobe ${kprobe}`],
};

function enabled({ disabled, ...plain }: RegisterKprobe): RegisterKprobe[] {
  return disabled === true ? [plain] : [];
}

function atEntry({ offset, ...plain }: RegisterKprobe): RegisterKprobe[] {
  if (offset === undefined) return [];
  return isElsewhere(offset) ? [plain, { ...plain, offset: IN_EVERY_KERNEL }] : [plain];
}

/** An instruction begins there with `endbr64` and without. */
const IN_EVERY_KERNEL = 10;

function isElsewhere(offset: number | undefined): boolean {
  return offset !== undefined && offset !== IN_EVERY_KERNEL;
}

/** Within the call site, or within an instruction after it, with or without `endbr64`: most of them begin one. */
const OFFSETS = [1, 5, 6, 9, IN_EVERY_KERNEL];

/** One kprobe in four is in a body. */
const offsets: fc.Arbitrary<number> = fc
  .integer({ min: 0, max: 4 * OFFSETS.length - 1 })
  .map((n) => OFFSETS[4 * OFFSETS.length - 1 - n] ?? 0);

function registrations(ip: fc.Arbitrary<string>): fc.Arbitrary<RegisterKprobe> {
  return fc
    .tuple(KPROBE, ip, fc.boolean(), rarely, offsets)
    .map(([kprobe, site, post, disabled, offset]) => ({
      do: 'register_kprobe',
      kprobe,
      ip: site,
      ...(offset === 0 ? {} : { offset }),
      post,
      ...(disabled ? { disabled } : {}),
    }));
}

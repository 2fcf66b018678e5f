import type { Errno } from '../../core/errno.ts';
import { entry } from '../../core/present.ts';
import type { Profile } from '../../core/profile.ts';
import { knownFunction } from '../traced-function.ts';
import type { BpfView } from '../world.ts';
import type { LinkArgs } from './design.ts';
import { refuseMultiTarget } from './targets.ts';

/*
 * The requirements of the series of 2021 on a multi link. Its programs are loaded for no function, but checked
 * against the stub bpf_multi_func(), which is declared with six arguments of a word each.
 */

/** Words of bpf_multi_func(): its return value is after them. */
export const STUB_WORDS = 6;

/** Every image has its own page, which is freed after a grace period. */
export function needsPages({ imageLifecycle }: Profile): string | undefined {
  return imageLifecycle === 'A' ? 'the images of one function share a page there' : undefined;
}

/** The same, and trampoline_mutex is held while ftrace changes sites. */
export function needsOwnOps(profile: Profile): string | undefined {
  if (profile.singleDirectOps) return 'trampoline_mutex is taken inside the locks of ftrace there';
  return needsPages(profile);
}

/** BPF_LINK_CREATE had no place for cookies yet. */
export function hasCookie(k: BpfView, { link }: LinkArgs): boolean {
  const { hi, lo } = entry(k.bpf.progs, entry(k.bpf.links, link).prog).program.cookie;
  return hi !== 0 || lo !== 0;
}

/**
 * Whether a function can be prepared as words: btf_distill_func_proto() took no structs by value then, and nothing of
 * more than eight bytes.
 */
export function isOfWords(k: BpfView, name: string): boolean {
  const { args } = knownFunction(k.functions, name).signature;
  return args.every(({ size, struct }) => !struct && size <= 8);
}

/**
 * bpf_check_attach_target() for a function of a multi link, and whether it is a site of ftrace: all of it
 * EINVAL, but for a wide return.
 */
export function refuseStubTarget(k: BpfView, locals: LinkArgs, name: string): Errno | undefined {
  const errno = refuseMultiTarget(k, locals, name);
  if (errno !== undefined) return errno === 'ENOENT' ? 'EINVAL' : errno;
  return isOfWords(k, name) ? undefined : 'EINVAL';
}

/** The errnos that `refuseStubTarget()` gives. */
export const STUB_TARGET_ERRNOS = ['EINVAL', 'EOPNOTSUPP'] as const;

/** Argument words of a function that can be prepared as words. */
export function wordsOf(k: BpfView, name: string): number {
  return knownFunction(k.functions, name).signature.args.length;
}

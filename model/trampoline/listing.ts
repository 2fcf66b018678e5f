/*
 * The lists of functions that bpf_check_attach_target(), kernel/bpf/verifier.c, consults beside a signature. The
 * recorded kernels are built without CONFIG_FUNCTION_ERROR_INJECTION: no list of ALLOW_ERROR_INJECTION() is there.
 */

/**
 * The list that a function is on, the plainest first: `traced` is a `security_` function in an fmod_ret set of
 * kfuncs, with `KF_SLEEPABLE`, as the recorded ones are; `unlisted`, on none; `security`, one by its name alone;
 * `kfunc`, one of such a set that may not sleep; `syscall`, `__x64_sys_*`; and the hooks of BPF LSM, `bpf_lsm_*`:
 * `lsm`, `sleepable_lsm`, `bool_lsm`, whose value is 0 or 1, and `disabled_lsm`.
 */
export type Listing = (typeof LISTINGS)[number];

export const LISTINGS = [
  'traced',
  'unlisted',
  'security',
  'kfunc',
  'syscall',
  'lsm',
  'sleepable_lsm',
  'bool_lsm',
  'disabled_lsm',
] as const;

/** `bpf_lsm_hooks` without `bpf_lsm_disabled_hooks`, kernel/bpf/bpf_lsm.c. */
export function isLsmHook(listing: Listing): boolean {
  return listing === 'lsm' || listing === 'sleepable_lsm' || listing === 'bool_lsm';
}

/** `bpf_lsm_hooks`, those that programs may not have as well. */
export function isAnyLsmHook(listing: Listing): boolean {
  return isLsmHook(listing) || listing === 'disabled_lsm';
}

/** The listings that a declaration names: `traced` goes without saying. */
export const NAMED_LISTINGS: readonly Listing[] = LISTINGS.filter((listing) => listing !== 'traced');

/** The listing that a word names; undefined: it names none. */
export function listingNamed(word: string): Listing | undefined {
  return LISTINGS.find((listing) => listing === word);
}

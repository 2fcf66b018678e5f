import type { Errno } from '../core/errno.ts';
import { unreachable } from '../core/unreachable.ts';
import type { Target } from './attach.ts';
import { isLsmHook } from './listing.ts';
import type { BpfProgram } from './program.ts';
import type { Signature } from './signature.ts';

/*
 * Checks of a target for a program: bpf_check_attach_target() at the load, or for a multi link when it is linked.
 */

/** `MAX_BPF_FUNC_ARGS`, and the largest argument in bytes (btf_distill_func_proto(), kernel/bpf/btf.c). */
export const ARGS_MAX = 12;
/** Two machine words: what fits a pair of registers. */
export const ARG_BYTES_MAX = 16;

/** btf_distill_func_proto(), and attach_uses_trampoline_retval() with a value that does not fit one register. */
export function refuseTarget({ signature, profile }: Target, { kind, lsm }: BpfProgram): Errno | undefined {
  const errno = refuseSignature(signature);
  if (errno !== undefined) return errno;
  const wide = signature.ret.size > 8 && kind !== 'fentry' && lsm !== true;
  return wide && profile.wideReturnRefused ? 'EOPNOTSUPP' : undefined;
}

/** btf_distill_func_proto(): a function for which there is no `struct btf_func_model`. */
export function refuseSignature({ args, ret }: Signature): Errno | undefined {
  if (args.length > ARGS_MAX) return 'EINVAL';
  if (ret.struct) return 'EINVAL';
  return args.some(({ size }) => size > ARG_BYTES_MAX) ? 'EINVAL' : undefined;
}

/**
 * bpf_check_attach_target(): a sleepable program, or else one that modifies the return value, needs a function on a
 * list. One that is both needs no more than a function that may sleep. A program of BPF LSM needs a hook; one for
 * cgroups may not sleep (can_be_sleepable()).
 */
export function refuseListing(
  target: Target,
  { kind, sleepable, lsm, cgroup }: BpfProgram,
): Errno | undefined {
  if (lsm === true) return cgroup === true && sleepable ? 'EINVAL' : refuseHook(target, sleepable);
  if (sleepable) return maySleep(target) ? undefined : 'EINVAL';
  return kind === 'fmod_ret' && !isModifiable(target) ? 'EINVAL' : undefined;
}

/** bpf_attach_type_to_tramp(): the kind that a hook gives to programs of BPF LSM. */
export function lsmKind({ ret }: Signature): 'fexit' | 'fmod_ret' {
  return ret.size === 0 ? 'fexit' : 'fmod_ret';
}

/** A program of BPF LSM has the kind that its hook gives it, and no attribute says another. */
export function isOfAnotherKind(hook: Signature, { kind, lsm }: BpfProgram): boolean {
  return lsm === true && kind !== lsmKind(hook);
}

/** bpf_lsm_is_sleepable_hook() in bpf_check_attach_target(), and bpf_lsm_verify_prog(), kernel/bpf/bpf_lsm.c. */
function refuseHook({ listing }: Target, sleepable: boolean): Errno | undefined {
  return isLsmHook(listing) && (!sleepable || listing === 'sleepable_lsm') ? undefined : 'EINVAL';
}

/**
 * btf_kfunc_is_modify_return() with `KF_SLEEPABLE`; 7.2 also check_attach_sleepable(), which without error injection
 * takes system calls.
 */
function maySleep({ profile, listing, bpf }: Target): boolean {
  if (bpf) return false;
  return (
    (listing === 'traced' && profile.sleepableTargets) ||
    (listing === 'syscall' && profile.syscallsModifiable)
  );
}

/** btf_kfunc_is_modify_return(), and check_attach_modify_return(): `SECURITY_PREFIX`, in 7.2 system calls. */
function isModifiable({ profile, listing, bpf }: Target): boolean {
  if (bpf) return false;
  switch (listing) {
    case 'traced':
    case 'security':
      return true;
    case 'kfunc':
      return profile.sleepableTargets;
    case 'syscall':
      return profile.syscallsModifiable;
    case 'unlisted':
    case 'lsm':
    case 'sleepable_lsm':
    case 'bool_lsm':
    case 'disabled_lsm':
      return false;
    default:
      return unreachable(listing);
  }
}

/** `noreturn_deny`, kernel/bpf/verifier.c: the image would never be left, and its reference never dropped. */
export function refuseNoreturn({ noreturn, profile }: Target, { kind, lsm }: BpfProgram): Errno | undefined {
  return noreturn && profile.noreturnRefused && lsm !== true && kind !== 'fentry' ? 'EINVAL' : undefined;
}

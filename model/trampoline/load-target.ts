import type { Errno } from '../core/errno.ts';
import { unreachable } from '../core/unreachable.ts';
import type { Target } from './attach.ts';
import type { BpfProgram } from './program.ts';
import type { Signature } from './signature.ts';

/*
 * Checks of a target for a program: bpf_check_attach_target() at the load, or for a multi link when it is linked.
 */

/** `MAX_BPF_FUNC_ARGS`, and the largest argument in bytes (btf_distill_func_proto(), kernel/bpf/btf.c). */
export const ARGS_MAX = 12;
/** Two machine words: what fits a pair of registers. */
export const ARG_BYTES_MAX = 16;

/** btf_distill_func_proto(), and a return value that does not fit one register (`wideReturnRefused`). */
export function refuseTarget({ signature, profile }: Target, { kind }: BpfProgram): Errno | undefined {
  const errno = refuseSignature(signature);
  if (errno !== undefined) return errno;
  const wide = signature.ret.size > 8 && kind !== 'fentry';
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
 * list. One that is both needs no more than a function that may sleep.
 */
export function refuseListing(target: Target, { kind, sleepable }: BpfProgram): Errno | undefined {
  if (sleepable) return maySleep(target) ? undefined : 'EINVAL';
  return kind === 'fmod_ret' && !isModifiable(target) ? 'EINVAL' : undefined;
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
      return false;
    default:
      return unreachable(listing);
  }
}

/** `noreturn_deny`, kernel/bpf/verifier.c: the image would never be left, and its reference never dropped. */
export function refuseNoreturn({ noreturn, profile }: Target, { kind }: BpfProgram): Errno | undefined {
  return noreturn && profile.noreturnRefused && kind !== 'fentry' ? 'EINVAL' : undefined;
}

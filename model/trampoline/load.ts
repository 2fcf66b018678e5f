import type { Errno } from '../core/errno.ts';
import { NotModelled } from '../core/not-modelled.ts';
import { item } from '../core/present.ts';
import type { Profile } from '../core/profile.ts';
import type { Word } from '../x86/word.ts';
import { ZERO } from '../x86/word.ts';
import type { Target } from './attach.ts';
import { designOf, multiKinds } from './designs/chosen.ts';
import type { Design } from './designs/design.ts';
import { ARGS_MAX, isOfAnotherKind, refuseListing, refuseNoreturn, refuseTarget } from './load-target.ts';
import type { BpfProgram } from './program.ts';
import type { Signature, Type } from './signature.ts';
import { slotCount, wordsOfArguments } from './signature.ts';
import type { BpfProg } from './world.ts';

/*
 * BPF_PROG_LOAD: what the verifier refuses because of a program's target, of its accesses to ctx, and of its
 * return value. The order of the checks decides which errno a program with several faults gets.
 */

/** A program as it is loaded, with its return value if that is known. */
export interface Loaded extends BpfProgram {
  readonly returns?: Word;
  /** It is loaded with the BTF of a module, for multi links to its functions. */
  readonly inModule?: boolean;
}

/** All checks of a load; the kernel looks up the module of the target, and gets its trampoline, between them. */
export function refuseLoad(target: Target, program: Loaded): Errno | undefined {
  return refuseKind(target, program) ?? refuseByLists(target, program) ?? refuseBody(target, program);
}

/**
 * The attach type, then bpf_check_attach_target() up to the address of the target. A program for multi links is checked
 * against its targets when it is linked. fmod_ret cannot target a BPF program, freplace nothing else.
 */
export function refuseKind(target: Target, program: Loaded): Errno | undefined {
  const { profile } = target;
  if (program.structOps === true) return refuseMember(target, program);
  if (program.multi) return refuseMulti(target, program);
  if (!profile.sessions && program.kind === 'fsession') return 'EINVAL';
  if (program.kind === (target.bpf ? 'fmod_ret' : 'freplace')) return 'EINVAL';
  if (isOfAnotherKind(target.signature, program)) return 'EINVAL';
  return refuseTarget(target, program);
}

/** The lists of functions: the rest of bpf_check_attach_target(), and check_attach_btf_id() before the trampoline. */
export function refuseByLists(target: Target, program: Loaded): Errno | undefined {
  if (!isForOneFunction(program)) return undefined;
  return refuseListing(target, program) ?? refuseNoreturn(target, program);
}

/** do_check(): the accesses of the program, its helpers, its return value. */
export function refuseBody(target: Target, program: Loaded): Errno | undefined {
  if (!isForOneFunction(program)) return undefined;
  return refuseAccess(target, program) ?? refuseHelpers(program) ?? refuseReturned(target, program);
}

/** All that a program for multi links, or of a member, is checked for, its kind decides. */
function isForOneFunction({ multi, structOps }: Loaded): boolean {
  return !multi && structOps !== true;
}

/**
 * A program of a struct_ops member: can_be_sleepable(), then check_struct_ops_btf_id(), which knows no struct whose
 * members bpf_struct_ops_desc_init() has refused. Its return value is not checked.
 */
function refuseMember(
  { profile, signature: { args, ret } }: Target,
  { sleepable }: Loaded,
): Errno | undefined {
  if (sleepable && !profile.sleepableMembers) return 'EINVAL';
  const isDistilled = args.length <= ARGS_MAX && args.every(({ size }) => size <= 16);
  return isDistilled && (ret.size <= 8 || !profile.wideReturnRefused) ? undefined : 'ENOTSUPP';
}

/**
 * A program for multi links: whether its kind is supported, and whether it may read ctx itself. Where it is checked
 * against a stub, no list of functions that programs may sleep in has that.
 */
function refuseMulti(target: Target, program: Loaded): Errno | undefined {
  const { profile } = target;
  const design = designOf(profile);
  if (design === undefined || !multiKinds(profile).includes(program.kind)) return 'EINVAL';
  if (program.inModule === true && design.modulesHeldBy !== 'program')
    throw new NotModelled(`a program for functions of a module with the design ${design.name}: not modelled`);
  const readsItself = program.reads !== 'helpers';
  if (readsItself && design.readsNothing === true) return 'EACCES';
  if (program.accesses !== undefined) return refuseFirst(target, design, program);
  if (program.sleepable && design.stubWords !== undefined) return 'EINVAL';
  return readsItself && design.stubWords === 0 ? 'EACCES' : refuseReturn(program);
}

/** A program for multi links that names a first function: checked like one for a single link. */
function refuseFirst(target: Target, { name, firstTarget }: Design, program: Loaded): Errno | undefined {
  if (firstTarget !== true)
    throw new NotModelled(`a first function for multi links of the design ${name}: not modelled`);
  if (target.bpf) throw new NotModelled('a BPF program as the first function of multi links: not modelled');
  return (
    refuseTarget(target, program) ??
    refuseListing(target, program) ??
    refuseNoreturn(target, program) ??
    refuseAccess(target, program) ??
    refuseReturn(program)
  );
}

/**
 * tracing_prog_is_valid_access() and btf_ctx_access() for each word that a program reads of ctx: scalars of at most a
 * register or structs, no argument that does not exist, nothing beyond twelve words, and for fmod_ret only the value of
 * a function that returns an integer. The helpers have none of these limits.
 */
function refuseAccess({ signature }: Target, program: BpfProgram): Errno | undefined {
  const { args, ret } = signature;
  const { numbers, returned } = accessesOf(signature, program);
  const isRead = ({ size, struct }: Type) => size > 0 && (size <= 8 || struct);
  if (numbers.some((number) => number >= args.length || !isRead(item(args, number)))) return 'EACCES';
  if (wordsOfArguments(signature, numbers).some((word) => word >= ARGS_MAX)) return 'EACCES';
  if (!returned) return undefined;
  if (program.kind === 'fentry' || !isRead(ret) || slotCount(signature) >= ARGS_MAX) return 'EACCES';
  return program.kind === 'fmod_ret' && program.lsm !== true && ret.name === 'ptr' ? 'EACCES' : undefined;
}

/** The arguments that a program reads of ctx itself, by number, and whether it reads the return value there. */
interface Accesses {
  readonly numbers: readonly number[];
  readonly returned: boolean;
}

/** Those that it names; otherwise all that its function has. */
function accessesOf({ args, ret }: Signature, { kind, reads, accesses }: BpfProgram): Accesses {
  if (accesses !== undefined) return { numbers: accesses, returned: reads === 'return directly' };
  return {
    numbers: reads === 'direct' ? [...args.keys()] : [],
    returned: reads !== 'helpers' && kind !== 'fentry' && ret.size > 0,
  };
}

/**
 * check_get_func_ip(): a program of BPF LSM finds the helper, and may not call it. One for cgroups has no trampoline
 * (bpf_prog_has_trampoline()), and finds neither bpf_get_attach_cookie() nor bpf_get_func_arg().
 */
function refuseHelpers({ lsm, cgroup, getFuncIp, cookie, reads }: BpfProgram): Errno | undefined {
  if (lsm === true && getFuncIp) return 'ENOTSUPP';
  return cgroup === true && (cookie.lo !== 0 || cookie.hi !== 0 || reads === 'helpers')
    ? 'EINVAL'
    : undefined;
}

/** check_return_code(), kernel/bpf/verifier.c. */
function refuseReturned(target: Target, program: Loaded): Errno | undefined {
  if (program.cgroup === true) return refuseCgroupReturn(target, program);
  return program.lsm === true ? refuseLsmReturn(target, program) : refuseReturn(program);
}

/** A program for cgroups allows with 1 and denies with 0; a hook that returns nothing cannot be denied. */
function refuseCgroupReturn({ signature }: Target, { returns = ZERO }: Loaded): Errno | undefined {
  const least = signature.ret.size === 0 ? 1 : 0;
  return returns.hi === 0 && returns.lo >= least && returns.lo <= 1 ? undefined : 'EINVAL';
}

/** `MAX_ERRNO`. */
const MAX_ERRNO = 4095;

/**
 * check_return_code() with bpf_lsm_get_retval_range() (6.12, 7.2): a hook answers an errno or 0, some of them 0 or 1, in
 * 32 bits; those that return nothing take any value, as all do in 6.1.
 */
function refuseLsmReturn(
  { profile, listing, signature }: Target,
  { returns = ZERO }: Loaded,
): Errno | undefined {
  if (!profile.lsmReturnsChecked || signature.ret.size === 0) return undefined;
  const value = returns.lo | 0;
  const isFitting = listing === 'bool_lsm' ? value === 0 || value === 1 : value <= 0 && value >= -MAX_ERRNO;
  return isFitting ? undefined : 'EINVAL';
}

/** check_return_code(), kernel/bpf/verifier.c: programs that run beside the function have to return 0. */
function refuseReturn({ kind, returns = ZERO }: Loaded): Errno | undefined {
  return kind !== 'fmod_ret' && kind !== 'freplace' && (returns.lo !== 0 || returns.hi !== 0)
    ? 'EINVAL'
    : undefined;
}

/**
 * BPF_PROG_LOAD of a kprobe, kprobe.multi or raw tracepoint program: it has no access to the helpers for arguments, and one
 * for a raw tracepoint none to bpf_get_func_ip(). A session returns 0 or 1, which decides whether its exit runs. Kernels
 * without sessions do not check the return value. The type of kprobe programs may be sleepable, for uprobes; that
 * of raw tracepoints where tracepoints may fault (can_be_sleepable()).
 */
export function refuseProbe(
  { kprobeSession, faultableTracepoints }: Profile,
  probe: Exclude<BpfProg['probe'], ''>,
  { reads, getFuncIp, sleepable, returns = ZERO }: Loaded,
): Errno | undefined {
  const onTracepoint = probe === 'raw_tp' || probe === 'tp';
  const onDevice = probe === 'xdp';
  // can_be_sleepable() knows no XDP program.
  if (sleepable && (onDevice || (onTracepoint && !faultableTracepoints))) return 'EINVAL';
  if (reads === 'helpers' || (getFuncIp && (onTracepoint || onDevice))) return 'EINVAL';
  const yesOrNo = returns.hi === 0 && returns.lo <= 1;
  return kprobeSession && probe === 'session' && !yesOrNo ? 'EINVAL' : undefined;
}

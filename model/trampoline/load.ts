import type { Errno } from '../core/errno.ts';
import { item } from '../core/present.ts';
import type { Profile } from '../core/profile.ts';
import type { Word } from '../x86/word.ts';
import { ZERO } from '../x86/word.ts';
import type { Target } from './attach.ts';
import { designOf, multiKinds } from './designs/chosen.ts';
import type { Design } from './designs/design.ts';
import { ARGS_MAX, refuseNoreturn, refuseSleepable, refuseTarget } from './load-target.ts';
import type { BpfProgram } from './program.ts';
import type { Type } from './signature.ts';
import { slotCount, wordsOfArguments } from './signature.ts';
import type { BpfProg } from './world.ts';

/** A program as it is loaded: with what it returns, when that is known. */
export interface Loaded extends BpfProgram {
  readonly returns?: Word;
}

/**
 * BPF_PROG_LOAD: attach type, then bpf_check_attach_target(), then the program's own accesses and what it returns. A program for
 * multi links is checked against its target only when it is linked. What a BPF program returns cannot be
 * modified, and what is not one cannot be replaced.
 */
export function refuseLoad(target: Target, program: Loaded): Errno | undefined {
  const { profile } = target;
  if (program.multi) return refuseMulti(target, program);
  if (!profile.sessions && program.kind === 'fsession') return 'EINVAL';
  if (program.kind === (target.bpf ? 'fmod_ret' : 'freplace')) return 'EINVAL';
  return (
    refuseTarget(target, program) ??
    refuseSleepable(target, program) ??
    refuseNoreturn(target, program) ??
    refuseAccess(target, program) ??
    refuseReturn(program)
  );
}

/** A program of multi links: whether they take its kind, and whether it may read ctx itself. */
function refuseMulti(target: Target, program: Loaded): Errno | undefined {
  const { profile } = target;
  const design = designOf(profile);
  if (design === undefined || !multiKinds(profile).includes(program.kind)) return 'EINVAL';
  if (program.accesses !== undefined) return refuseFirst(target, design, program, program.accesses);
  const readsItself = program.reads !== 'helpers';
  return readsItself && design.stubWords === 0 ? 'EACCES' : refuseReturn(program);
}

/** The first function of a program of multi links, which is checked against it as one of single links is. */
function refuseFirst(
  target: Target,
  { name, firstTarget }: Design,
  program: Loaded,
  accesses: readonly number[],
): Errno | undefined {
  if (firstTarget !== true)
    throw new Error(`a first function for multi links of the design ${name}: not modelled`);
  if (target.bpf) throw new Error('a BPF program as the first function of multi links: not modelled');
  return (
    refuseTarget(target, program) ??
    refuseSleepable(target, program) ??
    refuseNoreturn(target, program) ??
    refuseAccesses(target, program, accesses) ??
    refuseReturn(program)
  );
}

/**
 * btf_ctx_access() for each argument that is read, and for the return value: of scalars only those of a register, nothing
 * that is not there, and for who modifies the return value only an integer.
 */
function refuseAccesses(
  { signature }: Target,
  { kind, reads }: BpfProgram,
  accesses: readonly number[],
): Errno | undefined {
  const { args, ret } = signature;
  const isRead = ({ size, struct }: Type) => size > 0 && (size <= 8 || struct);
  if (accesses.some((number) => number >= args.length || !isRead(item(args, number)))) return 'EACCES';
  if (wordsOfArguments(signature, accesses).some((word) => word >= ARGS_MAX)) return 'EACCES';
  if (reads !== 'return directly') return undefined;
  if (kind === 'fentry' || !isRead(ret) || slotCount(signature) >= ARGS_MAX) return 'EACCES';
  return kind === 'fmod_ret' && ret.name === 'ptr' ? 'EACCES' : undefined;
}

/**
 * btf_ctx_access() for a program that reads ctx itself: `__int128` is no scalar, and the return value after
 * twelve words is out of bounds. The helpers have neither limit.
 */
function refuseAccess({ signature }: Target, program: BpfProgram): Errno | undefined {
  if (program.reads === 'helpers') return undefined;
  const wide = signature.args.some(({ size, struct }) => size > 8 && !struct);
  if (wide && program.reads === 'direct') return 'EACCES';
  const readsReturn = program.kind !== 'fentry' && signature.ret.size > 0;
  return readsReturn && slotCount(signature) >= ARGS_MAX ? 'EACCES' : undefined;
}

/** check_return_code(), kernel/bpf/verifier.c: what runs beside the function answers nothing to it. */
function refuseReturn({ kind, returns = ZERO }: Loaded): Errno | undefined {
  return kind !== 'fmod_ret' && kind !== 'freplace' && (returns.lo !== 0 || returns.hi !== 0)
    ? 'EINVAL'
    : undefined;
}

/**
 * BPF_PROG_LOAD of a kprobe.multi program: the helpers for arguments are those of tracing programs, and a session
 * may only say whether its exit shall run. Kernels without sessions do not look at what theirs return.
 */
export function refuseProbe(
  { kprobeSession }: Profile,
  probe: Exclude<BpfProg['probe'], ''>,
  { reads, returns = ZERO }: Loaded,
): Errno | undefined {
  if (reads === 'helpers') return 'EINVAL';
  const yesOrNo = returns.hi === 0 && returns.lo <= 1;
  return kprobeSession && probe === 'session' && !yesOrNo ? 'EINVAL' : undefined;
}

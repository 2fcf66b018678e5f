import type { Errno } from '../core/errno.ts';
import type { Mitigations, Profile } from '../core/profile.ts';
import type { Resolve } from '../x86/assembled.ts';
import type { Word } from '../x86/word.ts';
import { generate } from './generate.ts';
import type { Loaded } from './load.ts';
import { refuseLoad } from './load.ts';
import { refuseNoreturn, refuseSleepable, refuseTarget } from './load-target.ts';
import { planImage } from './plan/plan.ts';
import type { PlanRequest } from './plan/planner.ts';
import type { BpfProgram } from './program.ts';
import { linkCount } from './program.ts';
import type { Signature } from './signature.ts';

/** The function that programs are attached to, and the kernel around it. */
export interface Target {
  readonly profile: Profile;
  readonly mitigations: Mitigations;
  readonly ibt: boolean;
  readonly signature: Signature;
  /** It is on a list of functions that sleepable programs may attach to. */
  readonly sleepable: boolean;
  /** A live patch (IPMODIFY) was there first. */
  readonly ipmodify: boolean;
  /** It is a BPF program. */
  readonly bpf: boolean;
  /** It does not return. */
  readonly noreturn: boolean;
  /** It is one whose tail-call counter has to be carried through. */
  readonly tailCallCtx: boolean;
}

/** A refusal: which program, at which system call, with which errno. */
export interface AttachRefusal {
  readonly program: number;
  /** BPF_PROG_LOAD, or BPF_LINK_CREATE. */
  readonly stage: 'load' | 'attach';
  readonly errno: Errno;
}

/** What came of attaching programs one after the other until one was refused. */
export interface Attempt {
  readonly attached: readonly BpfProgram[];
  readonly shareIpmodify: boolean;
  readonly refusal: AttachRefusal | undefined;
}

/** Loads and links each program in turn, as a tool does; stops at the first refusal. */
export function attachPrograms(target: Target, programs: readonly Loaded[], where: Where): Attempt {
  const attached: BpfProgram[] = [];
  let shareIpmodify = false;
  for (const program of programs) {
    const errno = refuseLoad(target, program);
    if (errno !== undefined)
      return { attached, shareIpmodify, refusal: { program: program.id, stage: 'load', errno } };
    const links = [...attached, program];
    const share: boolean = shareIpmodify || sharesIpmodify(target, links);
    const refused: Errno | undefined =
      refuseLink(target, attached, program, shareIpmodify) ?? refuseImage(target, links, share, where);
    if (refused !== undefined)
      return { attached, shareIpmodify, refusal: { program: program.id, stage: 'attach', errno: refused } };
    attached.push(program);
    shareIpmodify = share;
  }
  return { attached, shareIpmodify, refusal: undefined };
}

/** Where the image would lie and how symbols resolve: lengths, and with them EFAULT, depend on addresses. */
export interface Where {
  readonly base: Word;
  readonly resolve: Resolve;
}

/** The request that an attempt ended with. */
export function requestFor(target: Target, { attached, shareIpmodify }: Attempt): PlanRequest {
  const { profile, mitigations, ibt, signature, tailCallCtx } = target;
  const sticky = { shareIpmodify, tailCallCtx };
  return { profile, mitigations, ibt, signature, programs: attached, sticky };
}

/** BPF_LINK_CREATE up to the new image: bpf_trampoline_add_prog(), kernel/bpf/trampoline.c. */
function refuseLink(
  target: Target,
  attached: readonly BpfProgram[],
  program: BpfProgram,
  shared: boolean,
): Errno | undefined {
  const { profile } = target;
  if (program.multi) {
    const errno =
      refuseNoreturn(target, program) ?? refuseTarget(target, program) ?? refuseSleepable(target, program);
    if (errno !== undefined) return errno;
  }
  if (linkCount(attached) + linkCount([program]) > profile.linksMax) return 'E2BIG';
  const waits = program.multi && target.ipmodify && !shared && program.kind !== 'fentry';
  return waits ? 'EAGAIN' : undefined;
}

/** bpf_trampoline_update(): whether the image for these programs can be made. */
function refuseImage(
  target: Target,
  links: readonly BpfProgram[],
  shareIpmodify: boolean,
  where: Where,
): Errno | undefined {
  const request = requestFor(target, { attached: links, shareIpmodify, refusal: undefined });
  const generated = generate(planImage(request), where.base, where.resolve);
  return 'refused' in generated ? generated.refused : undefined;
}

/**
 * A direct call that finds a live patch and calls the original agrees to share the function
 * (FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF): the image is made once more, to call through the return address.
 */
function sharesIpmodify({ ipmodify }: Target, links: readonly BpfProgram[]): boolean {
  return ipmodify && links.some(({ kind, multi }) => kind !== 'fentry' && !multi);
}

import type { Errno } from '../core/errno.ts';
import type { Mitigations, Profile } from '../core/profile.ts';
import type { Resolve } from '../x86/assembled.ts';
import type { Word } from '../x86/word.ts';
import { generate } from './generate.ts';
import type { Listing } from './listing.ts';
import type { Loaded } from './load.ts';
import { refuseLoad } from './load.ts';
import { refuseListing, refuseNoreturn, refuseTarget } from './load-target.ts';
import { planImage } from './plan/plan.ts';
import type { PlanRequest } from './plan/planner.ts';
import type { BpfProgram } from './program.ts';
import { linkCount } from './program.ts';
import type { Signature } from './signature.ts';

/*
 * Attaching programs to one function, decided without a kernel state: which of them BPF_PROG_LOAD and
 * BPF_LINK_CREATE refuse, and for which image the rest ask. Recordings of images and the search for image
 * combinations use it; the stateful counterparts are `load.ts` with `syscall.ts`, `link.ts` and `update.ts`.
 */

/** The function that programs are attached to, and the kernel around it. */
export interface Target {
  readonly profile: Profile;
  readonly mitigations: Mitigations;
  readonly ibt: boolean;
  readonly signature: Signature;
  /** The list of the verifier that it is on, unless it is a BPF program. */
  readonly listing: Listing;
  /** A live patch (IPMODIFY) was there first. */
  readonly ipmodify: boolean;
  /** It is a BPF program. */
  readonly bpf: boolean;
  /** It does not return. */
  readonly noreturn: boolean;
  /** It is one whose tail-call counter the image has to preserve. */
  readonly tailCallCtx: boolean;
}

/** A refusal: which program, at which system call, with which errno. */
export interface AttachRefusal {
  readonly program: number;
  /** BPF_PROG_LOAD, or BPF_LINK_CREATE. */
  readonly stage: 'load' | 'attach';
  readonly errno: Errno;
}

/** The result of attaching programs one after the other until one was refused. */
export interface Attempt {
  readonly attached: readonly BpfProgram[];
  readonly shareIpmodify: boolean;
  readonly refusal: AttachRefusal | undefined;
}

/**
 * Loads and links each program in turn, as a tool does; stops at the first refusal. Once a program has made the
 * trampoline share with a live patch, it does so until its last program is detached.
 */
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

/** The image's address and how symbols resolve: lengths, and with them EFAULT, depend on addresses. */
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

/**
 * BPF_LINK_CREATE before the new image: bpf_trampoline_add_prog(), kernel/bpf/trampoline.c. A multi link does not
 * retry after EAGAIN: it is refused where a single link generates its image again.
 */
function refuseLink(
  target: Target,
  attached: readonly BpfProgram[],
  program: BpfProgram,
  shared: boolean,
): Errno | undefined {
  const { profile } = target;
  if (program.multi) {
    const errno =
      refuseNoreturn(target, program) ?? refuseTarget(target, program) ?? refuseListing(target, program);
    if (errno !== undefined) return errno;
  }
  if (linkCount(attached) + linkCount([program]) > profile.linksMax) return 'E2BIG';
  const waits = program.multi && target.ipmodify && !shared && program.kind !== 'fentry';
  return waits ? 'EAGAIN' : undefined;
}

/** bpf_trampoline_update(): whether an image can be generated for these programs. */
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
 * A direct call that meets a live patch and calls the original agrees to share the function
 * (ENABLE_SHARE_IPMODIFY_SELF): the image is generated again, to call through the return address.
 */
function sharesIpmodify({ ipmodify }: Target, links: readonly BpfProgram[]): boolean {
  return ipmodify && links.some(({ kind, multi }) => kind !== 'fentry' && !multi);
}

import type { Errno } from '../../core/errno.ts';
import type { FunctionName, LinkId } from '../../core/ids.ts';
import { NotModelled } from '../../core/not-modelled.ts';
import { entry } from '../../core/present.ts';
import { isThere, moduleOf } from '../../text/module.ts';
import { ZERO } from '../../x86/word.ts';
import { refuseListing, refuseNoreturn, refuseTarget } from '../load-target.ts';
import { targetFor } from '../target.ts';
import type { BpfView, TrampNode } from '../world.ts';
import type { Design, LinkArgs } from './design.ts';

/*
 * The checks of the targets of a multi link, each on its own: a program for multi links is loaded without a
 * target, so what BPF_PROG_LOAD checks for a single link is checked here, at BPF_LINK_CREATE, for every function.
 */

/** A target of a multi link, with the entry of its lists. */
export interface MultiTarget {
  readonly target: FunctionName;
  readonly node: TrampNode;
}

/** The functions of a link: the ids of their trampolines. */
export function idsOf(k: BpfView, { link }: LinkArgs): readonly FunctionName[] {
  return entry(k.bpf.links, link).targets;
}

/** The entry of a list for a link of a design without cookies. */
export function nodeWithoutCookie(k: BpfView, { link }: LinkArgs): TrampNode {
  return { link, prog: entry(k.bpf.links, link).prog, cookie: ZERO };
}

/** The targets of a link in their order; cookies are counted up from the program's. */
export function targetsOf(k: BpfView, { link }: LinkArgs): MultiTarget[] {
  const { prog, targets } = entry(k.bpf.links, link);
  const { cookie } = entry(k.bpf.progs, prog).program;
  const given = cookie.hi !== 0 || cookie.lo !== 0;
  return targets.map((target, order) => {
    const own = given ? { hi: cookie.hi, lo: (cookie.lo + order) | 0 } : cookie;
    return { target, node: { link, prog, cookie: own } };
  });
}

/**
 * bpf_check_attach_btf_id_multi() (7.2): whether a link's program fits a function. A function that ftrace does
 * not know is ENOENT, after the checks of its signature.
 */
export function refuseMultiTarget(
  k: BpfView,
  { link }: LinkArgs,
  name: string,
  modulesHeldBy?: Design['modulesHeldBy'],
): Errno | undefined {
  const { program, btf } = entry(k.bpf.progs, entry(k.bpf.links, link).prog);
  const inModule = moduleOf(k, name);
  if (inModule !== undefined && modulesHeldBy === undefined)
    throw new NotModelled(`a multi link to ${name}, which is in a module: not modelled`);
  const target = targetFor(k, name);
  if (target === undefined) return 'EINVAL';
  if (modulesHeldBy === 'program' && isOutsideBtf(k, link, name)) return 'EINVAL';
  const errno = refuseNoreturn(target, program) ?? refuseTarget(target, program);
  if (errno !== undefined) return errno;
  // That of a module has the kernel's types as well, but find_kallsyms_symbol_value() searches the module alone.
  if (btf !== undefined && inModule === undefined) return 'ENOENT';
  // The client's file descriptor keeps the BTF of a module that is gone.
  if (k.ftrace.records[name] === undefined || !isThere(k, name)) return 'ENOENT';
  return refuseListing(target, program);
}

/** The BTF of the kernel, or of another module, has no type of that id; a BPF program is in its own alone. */
function isOutsideBtf(k: BpfView, link: LinkId, name: string): boolean {
  const { btf } = entry(k.bpf.progs, entry(k.bpf.links, link).prog);
  const inModule = moduleOf(k, name);
  if (targetFor(k, name)?.bpf === true) return true;
  return inModule !== undefined && inModule !== k.text.modules[btf ?? ''];
}

/** Sorted by their ids (7.2): functions without one in the BTF of the program come last. */
export function targetsById(k: BpfView, locals: LinkArgs): MultiTarget[] {
  const isLast = ({ target }: MultiTarget) =>
    targetFor(k, target) === undefined || isOutsideBtf(k, locals.link, target);
  return targetsOf(k, locals).toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
}

/** The errnos that `refuseMultiTarget()` gives. */
export const TARGET_ERRNOS = ['EINVAL', 'EOPNOTSUPP', 'ENOENT'] as const;

/** The next target of a loop over them. */
export function takeTarget(locals: Partial<MultiTarget>, next: MultiTarget): void {
  Object.assign(locals, next);
}

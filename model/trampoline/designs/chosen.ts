import type { Errno } from '../../core/errno.ts';
import type { FunctionName } from '../../core/ids.ts';
import { InputError } from '../../core/input-error.ts';
import type { Routine } from '../../core/part.ts';
import type { Profile } from '../../core/profile.ts';
import { profileNamed } from '../../core/profile.ts';
import type { TracingKind } from '../program.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import { DESIGNS } from './all.ts';
import type { Design, LinkArgs, SingleArgs } from './design.ts';

/** The value of `multiLinks` for a kernel that has no multi links. */
export const NO_DESIGN = 'none';

/** The design without code of its own: a link to n functions is n links to one. Others are compared with it. */
export const ONE_BY_ONE = 'one by one';

/**
 * The design that a kernel has; undefined for a kernel without multi links. Throws an InputError when there is no
 * design of that name, or when it cannot run on the kernel.
 */
export function designOf(profile: Profile): Design | undefined {
  const { multiLinks, kernel } = profile;
  if (multiLinks === NO_DESIGN) return undefined;
  const design = designNamed(multiLinks);
  const why = design.needs?.(profile);
  if (why !== undefined) throw new InputError(`${multiLinks} cannot run on ${kernel}: ${why}`);
  return design;
}

/** A design by its name. Throws an InputError when there is none of that name. */
export function designNamed(name: string): Design {
  const design = DESIGNS.find((other) => other.name === name);
  if (design !== undefined) return design;
  const names = [NO_DESIGN, ...DESIGNS.map((other) => other.name)].join(', ');
  throw new InputError(`there are no multi links of the design ${name}; there are ${names}`);
}

/**
 * The design that the one of a kernel says it attaches like; undefined: none, or one
 * that cannot run on the kernel.
 */
export function likeOf(profile: Profile): string | undefined {
  const design = designOf(profile);
  const like = design && likeDesign(design);
  return like?.needs?.(profile) === undefined ? like?.name : undefined;
}

/**
 * The design that another says it attaches like. Throws an InputError when there is none of that name, or when it
 * keeps data that the other does not: its known breaches name that data.
 */
export function likeDesign({ name, like, start }: Design): Design | undefined {
  if (like === undefined) return undefined;
  const other = designNamed(like);
  if (other.start !== undefined && other.start !== start)
    throw new InputError(`${name} cannot attach like ${like}, which keeps data of its own`);
  return other;
}

/** The kinds of programs that multi links of a kernel take. */
export function multiKinds(profile: Profile): readonly TracingKind[] {
  const kinds = designOf(profile)?.kinds ?? [];
  return profile.sessions ? kinds : kinds.filter((kind) => kind !== 'fsession');
}

/** Why a single program may not have a function, because of what multi links have; undefined: it may. */
export function refuseSingle(k: BpfView, target: FunctionName, stage: 'get' | 'link'): Errno | undefined {
  return designOf(profileNamed(k.profile))?.refuseSingle?.(k, target, stage);
}

/** Whether a function's site belongs to multi links, and not to a trampoline of its own. */
export function isSiteOfMulti(k: BpfView, target: FunctionName): boolean {
  return designOf(profileNamed(k.profile))?.hasSite?.(k, target) ?? false;
}

/** The errnos that designs give there. */
export const SINGLE_ERRNOS = ['EBUSY', 'ENOMEM'] as const;

/** How links are attached and detached, by the name of the design: for a call through a pointer. */
export const attachByDesign = () => byName<LinkArgs>(({ attach }) => attach);
/** The routine that detaches a link. */
export const detachByDesign = () => byName<LinkArgs>(({ detach }) => detach);

/** How a single program comes to its function, by the name of the design, where it is not as in the kernel. */
export const linkSingleByDesign = () => byName<SingleArgs>(({ linkSingle }) => linkSingle);

/** Whether a kernel's design has a way of its own for single programs. */
export function linksSingle(k: BpfView): boolean {
  return designOf(profileNamed(k.profile))?.linkSingle !== undefined;
}

type ByName<A> = Readonly<Record<string, Routine<BpfWorld, A>>>;

/** A table of routines, for a call through a pointer: the linker lays out all of them. */
function byName<A>(pick: (design: Design) => Routine<BpfWorld, A> | undefined): ByName<A> {
  return Object.fromEntries(
    DESIGNS.flatMap((design) => {
      const routine = pick(design);
      return routine === undefined ? [] : [[design.name, routine]];
    }),
  );
}

/** Which of them it is. */
export function multiLinksOf({ profile }: BpfView): string {
  return profileNamed(profile).multiLinks;
}

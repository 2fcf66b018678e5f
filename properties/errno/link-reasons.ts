import type { BpfLinkCreate } from '../../model/client/bpf-link-create.ts';
import type { LoadedProgram, PromisedClient, Promises } from '../../model/contract/promises.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { FunctionName, ProgId } from '../../model/core/ids.ts';
import { callsInAnImage } from '../observed/calls-in-an-image.ts';
import type { AskedCall, Holds, ReasonToRefuse } from './contract.ts';
import { perhapsIf, reason } from './contract.ts';
import { clientsDirectAt, isOfDesign, isOwnMultiLinks, isUnloaded } from './promised-sites.ts';

/*
 * The reasons of links of one program to one function, through its trampoline or its hook for cgroups.
 */

type Links = Pick<BpfLinkCreate, 'prog' | 'targets' | 'symbols'>;
export type LinkAsked = AskedCall<Links>;
export type LinkReason = ReasonToRefuse<Links>;

export function loadOf({ action, promised }: LinkAsked): LoadedProgram | undefined {
  return promised.programs[action.prog];
}

/** Which of the ways of a link a program takes. */
type Way = 'probe' | 'multi' | 'cgroup' | 'single';

function wayOf(load: LoadedProgram | undefined): Way | undefined {
  if (load === undefined) return undefined;
  if (load.probe !== '') return 'probe';
  if (load.program.multi) return 'multi';
  return load.program.cgroup === true ? 'cgroup' : 'single';
}

/** A reason of the programs that take one of these ways. */
export function of(
  ways: readonly Way[],
  errno: Errno,
  because: string,
  holds: LinkReason['holds'],
): LinkReason {
  return reason(errno, because, (asked) => {
    const way = wayOf(loadOf(asked));
    return way !== undefined && ways.includes(way) && holds(asked);
  });
}

function targetOf(asked: LinkAsked): FunctionName {
  return loadOf(asked)?.target ?? '';
}

/** The programs that are attached to a function, through its trampoline. */
function attachedTo({ clients }: Promises, fn: FunctionName): readonly PromisedClient[] {
  return clients.filter(({ kind, ips }) => kind === 'program' && ips.includes(fn));
}

function isExtended({ clients }: Promises, fn: FunctionName): boolean {
  return clients.some(({ kind, ips }) => kind === 'extension' && ips.includes(fn));
}

function isAttached({ clients }: Promises, prog: ProgId): boolean {
  return clients.some(({ who }) => who === `prog#${prog}`);
}

function isExtension(asked: LinkAsked): boolean {
  return loadOf(asked)?.program.kind === 'freplace';
}

/** All programs of a hook that are for cgroups have one place in its trampoline. */
function placesTaken(p: Promises, fn: FunctionName): number {
  const attached = attachedTo(p, fn);
  const own = attached.filter(({ program }) => program?.cgroup !== true);
  const programs = own.flatMap(({ who }) => p.programs[Number(who.slice('prog#'.length))]?.program ?? []);
  return callsInAnImage(programs) + (own.length < attached.length ? 1 : 0);
}

/** How many the trampoline of a function lacks room for, with one program more. */
function isFull(asked: LinkAsked): boolean {
  const { promised: p, profile } = asked;
  const load = loadOf(asked);
  return (
    load !== undefined && placesTaken(p, load.target) + callsInAnImage([load.program]) > profile.linksMax
  );
}

/** Single links where the kernel, and not the design of multi links that is examined, decides about them. */
function unlessOfDesign(holds: Holds, { multiLinks }: AskedCall<unknown>['profile']): Holds {
  return isOwnMultiLinks(multiLinks) || holds === false ? holds : 'perhaps';
}

/** A program has had its target since its load; an extension may be given another one. */
function namesTarget(asked: LinkAsked): boolean {
  return asked.action.targets.length > 0 && !isExtension(asked);
}

/** A program that has no trampoline any more because its first link took it. */
function lacksTarget(asked: LinkAsked): Holds {
  const { action, promised: p } = asked;
  if (!p.bpf.includes(targetOf(asked))) return false;
  return isAttached(p, action.prog) ? true : 'perhaps';
}

/** An extension takes the place of its target, and the programs of a hook for cgroups have the image of the first. */
function needsImage(asked: LinkAsked): boolean {
  const isLater = forCgroup(asked.promised).some(({ ips }) => ips.includes(targetOf(asked)));
  return !isExtension(asked) && !(isLater && wayOf(loadOf(asked)) === 'cgroup');
}

/** Trampolines of BPF are direct calls, by an ops each, or by a table of sites. */
function isTaken(asked: LinkAsked): Holds {
  const { promised: p, profile } = asked;
  const fn = targetOf(asked);
  if (!needsImage(asked) || p.bpf.includes(fn)) return false;
  if (isOfDesign(p, profile, fn)) return 'perhaps';
  const holds = clientsDirectAt(p, fn) !== undefined;
  return unlessOfDesign(holds, profile);
}

/** Links of a program to one function: the order is that of __bpf_trampoline_link_prog(). */
export const SINGLE: readonly (readonly LinkReason[])[] = [
  [of(['single'], 'EINVAL', 'a target is named, as for extensions alone', namesTarget)],
  [of(['single'], 'EINVAL', 'a BPF program was its target, and is not named', lacksTarget)],
  [
    of(['single'], 'ENOENT', 'its target was unloaded', (asked) =>
      perhapsIf(isUnloaded(asked.promised, targetOf(asked))),
    ),
    of(['single'], 'EBUSY', 'the design keeps single programs off the function', ({ profile }) =>
      perhapsIf(!isOwnMultiLinks(profile.multiLinks)),
    ),
  ],
  [
    of(['single'], 'EBUSY', 'an extension has the target for itself', (asked) =>
      isExtended(asked.promised, targetOf(asked)),
    ),
    of(['single'], 'EBUSY', 'programs are attached to the target of an extension', (asked) => {
      return isExtension(asked) && attachedTo(asked.promised, targetOf(asked)).length > 0;
    }),
  ],
  [
    of(['single'], 'E2BIG', 'the function has too many programs', (asked) =>
      unlessOfDesign(!isExtension(asked) && isFull(asked), asked.profile),
    ),
  ],
  [
    of(['single'], 'EBUSY', 'the program is attached there', ({ action, promised, profile }) =>
      unlessOfDesign(isAttached(promised, action.prog), profile),
    ),
  ],
  [
    of(['single', 'cgroup'], 'ENOTSUPP', 'an image does not carry that many arguments', (asked) => {
      const { declared, profile } = asked;
      return needsImage(asked) && declared.argumentWords(targetOf(asked)) > profile.trampolineSlotsMax;
    }),
  ],
  [
    of(
      ['single', 'cgroup'],
      'EBUSY',
      'the function has a direct call of a client',
      (asked) => !asked.profile.singleDirectOps && isTaken(asked),
    ),
    of(
      ['single', 'cgroup'],
      'EINVAL',
      'the function has a direct call of a client',
      (asked) => asked.profile.singleDirectOps && isTaken(asked),
    ),
  ],
];

/** `CGROUP_LSM_NUM`, `BPF_CGROUP_MAX_PROGS`. */
const HOOKS_MOST = 10;
const OF_HOOK_MOST = 64;

function forCgroup({ clients }: Promises): readonly PromisedClient[] {
  return clients.filter(({ program }) => program?.cgroup === true);
}

export const CGROUP: readonly (readonly LinkReason[])[] = [
  [
    of(['cgroup'], 'EINVAL', 'other hooks have all the places', (asked) => {
      const hooks = new Set(forCgroup(asked.promised).flatMap(({ ips }) => ips));
      return !hooks.has(targetOf(asked)) && hooks.size >= HOOKS_MOST;
    }),
  ],
  [
    of(['cgroup'], 'E2BIG', 'the hook has too many programs', (asked) => {
      const own = forCgroup(asked.promised).filter(({ ips }) => ips.includes(targetOf(asked)));
      return own.length >= OF_HOOK_MOST;
    }),
    of(['cgroup'], 'E2BIG', 'the function has too many programs', (asked) => {
      const isFirst = forCgroup(asked.promised).every(({ ips }) => !ips.includes(targetOf(asked)));
      return perhapsIf(isFirst && isFull(asked));
    }),
    of(['cgroup'], 'ENOENT', 'its target was unloaded', (asked) =>
      perhapsIf(isUnloaded(asked.promised, targetOf(asked))),
    ),
    of(['cgroup'], 'EBUSY', 'the design keeps single programs off the function', ({ profile }) =>
      perhapsIf(!isOwnMultiLinks(profile.multiLinks)),
    ),
  ],
];

import type { BpfLinkCreate } from '../../model/client/bpf-link-create.ts';
import type { BpfProgLoad } from '../../model/client/bpf-prog-load.ts';
import type { BpfRawTracepointOpen } from '../../model/client/bpf-raw-tracepoint-open.ts';
import type { CloseLink } from '../../model/client/close-link.ts';
import type { CloseProg } from '../../model/client/close-prog.ts';
import type { DevChangeXdpFd } from '../../model/client/dev-change-xdp-fd.ts';
import { programsOf } from '../../model/contract/perf-events.ts';
import type { LoadedProgram, PromisedClient, Promises } from '../../model/contract/promises.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { FunctionName, ProgId } from '../../model/core/ids.ts';
import { linkCount } from '../../model/trampoline/program.ts';
import type { Asked, CallErrnos, Holds, Reason } from './contract.ts';
import { perhapsIf, reason } from './contract.ts';
import { lacksIndex } from './graph-calls.ts';
import { clientsDirectAt, isCallSite, isOwnMultiLinks, isUnloaded } from './promised-sites.ts';
import { isClosed } from './tracepoint-calls.ts';

/*
 * bpf(2): loading, linking and closing programs. What the verifier says of a program is the matter of
 * `trampoline/programs-fit-their-target`; here a load has the errnos of a verifier, or those of its target.
 */

type Links = Pick<BpfLinkCreate, 'prog' | 'targets' | 'symbols'>;
type LinkAsked = Asked<Links>;
type LinkReason = Reason<Links>;

function loadOf({ action, promised }: LinkAsked): LoadedProgram | undefined {
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
function of(ways: readonly Way[], errno: Errno, because: string, holds: LinkReason['holds']): LinkReason {
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
  return linkCount(programs) + (own.length < attached.length ? 1 : 0);
}

/** How many the trampoline of a function lacks room for, with one program more. */
function isFull(asked: LinkAsked): boolean {
  const { promised: p, profile } = asked;
  const load = loadOf(asked);
  return load !== undefined && placesTaken(p, load.target) + linkCount([load.program]) > profile.linksMax;
}

/** Single links where the kernel, and not the design of multi links that is examined, decides about them. */
function unlessOfDesign(holds: Holds, { multiLinks }: Asked<unknown>['profile']): Holds {
  return isOwnMultiLinks(multiLinks) || holds === false ? holds : 'perhaps';
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
  const holds = needsImage(asked) && !p.bpf.includes(fn) && clientsDirectAt(p, fn) !== undefined;
  return unlessOfDesign(holds, profile);
}

/** Links of a program to one function: the order is that of __bpf_trampoline_link_prog(). */
const SINGLE: readonly (readonly LinkReason[])[] = [
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

const CGROUP: readonly (readonly LinkReason[])[] = [
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

/** What a design answers for its targets is its own contract: here it has one of these errnos. */
const OF_DESIGNS: readonly Errno[] = [
  'EINVAL',
  'ENOENT',
  'EBUSY',
  'E2BIG',
  'EACCES',
  'EOPNOTSUPP',
  'ENOTSUPP',
  'ENOSPC',
  'EAGAIN',
];

const MULTI: readonly (readonly LinkReason[])[] = [
  [
    of(['multi'], 'EINVAL', 'no function is named', ({ action }) => action.targets.length === 0),
    of(['multi'], 'EINVAL', 'a function is named twice', ({ action: { targets } }) => {
      return new Set(targets).size < targets.length;
    }),
  ],
  OF_DESIGNS.map((errno) => of(['multi'], errno, 'the design refuses a function', () => 'perhaps')),
];

/** Programs that no link of this command is for. */
function hasNoAttachType({ probe }: LoadedProgram, { kprobeSession }: Asked<unknown>['profile']): boolean {
  return ['raw_tp', 'tp', 'kprobe', 'xdp'].includes(probe) || (probe === 'session' && !kprobeSession);
}

const PROBE: readonly (readonly LinkReason[])[] = [
  [
    of(['probe'], 'EINVAL', 'there is no such attach type', (asked) => {
      const load = loadOf(asked);
      return load !== undefined && hasNoAttachType(load, asked.profile);
    }),
  ],
  [of(['probe'], 'EOPNOTSUPP', 'the kernel has no fprobes', ({ profile }) => profile.fprobe === 'none')],
  [
    of(['probe'], 'EINVAL', 'the program may sleep', (asked) => loadOf(asked)?.program.sleepable === true),
    of(['probe'], 'EINVAL', 'no function is named', ({ action }) => action.targets.length === 0),
  ],
  [
    of(['probe'], 'ESRCH', 'not every symbol is found, and once', ({ action, promised }) => {
      const { targets, symbols = false } = action;
      const isFound = targets.every((fn) => isCallSite(promised, fn));
      return symbols && !(isFound && new Set(targets).size === targets.length);
    }),
  ],
  [
    of(['probe'], 'EINVAL', 'a module was unloaded', ({ action, promised }) =>
      action.targets.some((fn) => isUnloaded(promised, fn)),
    ),
  ],
  [
    of(['probe'], 'EINVAL', 'an address is no call site', ({ action, promised, profile }) => {
      return profile.fprobe === 'rethook' && !action.targets.every((fn) => isCallSite(promised, fn));
    }),
    of(['probe'], 'ENOENT', 'an address is no call site', ({ action, promised, profile }) => {
      return profile.fprobe === 'fgraph' && !action.targets.every((fn) => isCallSite(promised, fn));
    }),
  ],
  [
    of(['probe'], 'ENOSPC', 'function graph has no index left', (asked) =>
      lacksIndex(asked, { exit: loadOf(asked)?.probe !== 'entry' }),
    ),
    of(['probe'], 'EEXIST', 'a registration that has failed left its probe of sched_switch', () => false),
  ],
];

export const BPF_LINK_CREATE: CallErrnos<BpfLinkCreate> = {
  stages: [[reason('EBADF', 'there is no such program', isClosed)], ...PROBE, ...MULTI, ...CGROUP, ...SINGLE],
};

type Opens = Asked<BpfRawTracepointOpen>;

/** As BPF_LINK_CREATE without targets: it is the older command. */
function asLink({ action: { prog }, ...known }: Opens): LinkAsked {
  return { ...known, action: { prog, targets: [] } };
}

function opening(own: LinkReason): Reason<BpfRawTracepointOpen> {
  return {
    ...own,
    holds: (asked) => asked.action.tracepoint === undefined && own.holds(asLink(asked)),
  };
}

function ofTracepoint(
  errno: Errno,
  because: string,
  holds: (asked: Opens, tracepoint: string) => Holds,
): Reason<BpfRawTracepointOpen> {
  return reason(errno, because, (asked) => {
    const { tracepoint } = asked.action;
    return tracepoint !== undefined && holds(asked, tracepoint);
  });
}

export const BPF_RAW_TRACEPOINT_OPEN: CallErrnos<BpfRawTracepointOpen> = {
  stages: [
    [reason('EBADF', 'there is no such program', isClosed)],
    [
      reason('EFAULT', 'the name of a tracepoint is NULL', ({ action, promised: p }) => {
        return action.tracepoint === undefined && p.programs[action.prog]?.probe === 'raw_tp';
      }),
      opening(
        of(['probe'], 'EINVAL', 'it takes programs for tracing alone', (asked) => {
          return loadOf(asked)?.probe !== 'raw_tp';
        }),
      ),
      opening(of(['cgroup'], 'EINVAL', 'it names no cgroup', () => true)),
      opening(of(['multi'], 'EINVAL', 'it names no functions', () => true)),
    ],
    ...SINGLE.map((stage) => stage.map(opening)),
    [
      ofTracepoint('EINVAL', 'it is no program for raw tracepoints', ({ action, promised: p }) => {
        return p.programs[action.prog]?.probe !== 'raw_tp';
      }),
    ],
    [
      ofTracepoint('ENOENT', 'there is no such tracepoint', ({ declared }, tracepoint) => {
        return declared.tracepoints[tracepoint] === undefined;
      }),
    ],
    [
      ofTracepoint('EINVAL', 'the program may sleep, and probes there may not', (asked, tracepoint) => {
        const { action, promised: p, declared } = asked;
        const isSleepable = p.programs[action.prog]?.program.sleepable === true;
        return isSleepable && declared.tracepoints[tracepoint]?.faultable !== true;
      }),
      ofTracepoint('EINVAL', 'the program reads after the last argument', (asked, tracepoint) => {
        const { action, promised: p, declared } = asked;
        const { accesses = [] } = p.programs[action.prog]?.program ?? {};
        const count = declared.tracepoints[tracepoint]?.arguments ?? 0;
        return accesses.some((number) => number >= count);
      }),
    ],
    [
      ofTracepoint(
        'EEXIST',
        'the tracepoint has the program',
        ({ action, promised: p, profile }, tracepoint) => {
          return (
            profile.rawTracepointData === 'prog' &&
            p.probes.some((probe) => probe.tracepoint === tracepoint && probe.who === `prog#${action.prog}`)
          );
        },
      ),
    ],
  ],
};

/** What the verifier answers for a program is not judged here: any of its errnos will do. */
function verifier(errnos: readonly Errno[]): readonly Reason<BpfProgLoad>[] {
  return errnos.map((errno) =>
    reason(errno, 'the verifier refuses the program', ({ action: { probe } }) => perhapsIf(probe === '')),
  );
}

export const BPF_PROG_LOAD: CallErrnos<BpfProgLoad> = {
  stages: [
    [
      reason('EINVAL', 'the verifier refuses a program for probes', ({ action: { probe } }) =>
        perhapsIf(probe !== ''),
      ),
    ],
    [
      reason('EINVAL', 'there is no such function', ({ action: { probe, program, target }, promised: p }) => {
        return probe === '' && !program.multi && !p.functions.includes(target) && !p.bpf.includes(target);
      }),
    ],
    verifier(['EINVAL', 'EOPNOTSUPP', 'EACCES']),
    [
      reason('ENOENT', 'the function was unloaded', ({ action: { probe, program, target }, promised: p }) => {
        return probe === '' && !program.multi && isUnloaded(p, target);
      }),
      reason('ENOENT', 'the module was unloaded', ({ action: { btf }, promised: p }) => {
        return btf !== undefined && p.modules[btf]?.live === false;
      }),
    ],
    verifier(['EINVAL', 'EACCES', 'ENOTSUPP']),
  ],
};

function isLink(p: Promises, link: string): boolean {
  return (
    p.clients.some(({ object, onEvent }) => object === link || onEvent?.link === link) ||
    p.probes.some(({ object }) => object === link) ||
    programsOf(p).some(({ object }) => object === link)
  );
}

export const CLOSE_LINK: CallErrnos<CloseLink> = {
  stages: [
    [reason('EBADF', 'there is no such link', ({ action, promised }) => !isLink(promised, action.link))],
  ],
};

export const CLOSE_PROG: CallErrnos<CloseProg> = {
  stages: [[reason('EBADF', 'there is no such program', isClosed)]],
};

export const DEV_CHANGE_XDP_FD: CallErrnos<DevChangeXdpFd> = {
  stages: [
    [reason('EBADF', 'there is no such program', (asked) => asked.action.prog !== 0 && isClosed(asked))],
    [
      reason('EINVAL', 'it is no XDP program', ({ action: { prog }, promised: p }) => {
        return prog !== 0 && p.programs[prog]?.probe !== 'xdp';
      }),
    ],
  ],
};

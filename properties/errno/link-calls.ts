import type { BpfLinkCreate } from '../../model/client/bpf-link-create.ts';
import type { BpfRawTracepointOpen } from '../../model/client/bpf-raw-tracepoint-open.ts';
import type { LoadedProgram } from '../../model/contract/promises.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { AskedCall, CallErrnos, Holds, ReasonToRefuse } from './contract.ts';
import { reason } from './contract.ts';
import { lacksIndex } from './graph-calls.ts';
import type { LinkAsked, LinkReason } from './link-reasons.ts';
import { CGROUP, loadOf, of, SINGLE } from './link-reasons.ts';
import { isCallSite } from './promised-sites.ts';
import { isClosed } from './tracepoint-calls.ts';

/*
 * BPF_LINK_CREATE and BPF_RAW_TRACEPOINT_OPEN of bpf(2).
 */

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
  'EEXIST',
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
function hasNoAttachType(
  { probe }: LoadedProgram,
  { kprobeSession }: AskedCall<unknown>['profile'],
): boolean {
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

type Opens = AskedCall<BpfRawTracepointOpen>;

/** As BPF_LINK_CREATE without targets: it is the older command. */
function asLink({ action: { prog }, ...known }: Opens): LinkAsked {
  return { ...known, action: { prog, targets: [] } };
}

function opening(own: LinkReason): ReasonToRefuse<BpfRawTracepointOpen> {
  return {
    ...own,
    holds: (asked) => asked.action.tracepoint === undefined && own.holds(asLink(asked)),
  };
}

function ofTracepoint(
  errno: Errno,
  because: string,
  holds: (asked: Opens, tracepoint: string) => Holds,
): ReasonToRefuse<BpfRawTracepointOpen> {
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

import type { BpfLinkCreatePerfEvent } from '../../model/client/bpf-link-create-perf-event.ts';
import type { ClosePerfEvent } from '../../model/client/close-perf-event.ts';
import type { PerfEventIocSetBpf } from '../../model/client/perf-event-ioc-set-bpf.ts';
import type { PerfEventOpen } from '../../model/client/perf-event-open.ts';
import type { TracepointProbeRegisterPrio } from '../../model/client/tracepoint-probe-register-prio.ts';
import type { TracepointProbeUnregister } from '../../model/client/tracepoint-probe-unregister.ts';
import { programsOf } from '../../model/contract/perf-events.ts';
import type { EventProgram, Promises } from '../../model/contract/promises.ts';
import type { ProgId } from '../../model/core/ids.ts';
import type { AskedCall, CallErrnos, ReasonToRefuse } from './contract.ts';
import { reason } from './contract.ts';

/*
 * Probes of tracepoints (kernel/tracepoint.c), and the programs of perf events (kernel/events/core.c,
 * kernel/trace/bpf_trace.c).
 */

export const TRACEPOINT_PROBE_REGISTER: CallErrnos<TracepointProbeRegisterPrio> = {
  stages: [
    [
      reason('EEXIST', 'the function is there with the same data', ({ action, promised: p }) => {
        const { tracepoint, func, data } = action;
        return p.probes.some(
          (probe) => probe.tracepoint === tracepoint && probe.who === func && probe.data === data,
        );
      }),
    ],
  ],
};

export const TRACEPOINT_PROBE_UNREGISTER: CallErrnos<TracepointProbeUnregister> = {
  stages: [
    [
      reason('ENOENT', 'the tracepoint has no probes', ({ action, promised: p }) => {
        return !p.probes.some(({ tracepoint }) => tracepoint === action.tracepoint);
      }),
    ],
  ],
};

export const PERF_EVENT_OPEN: CallErrnos<PerfEventOpen> = {
  stages: [
    [
      reason('EINVAL', 'no event has this id', ({ action, declared }) => {
        return declared.tracepoints[action.tracepoint] === undefined;
      }),
    ],
  ],
};

function isOpen({ events }: Promises, event: string): boolean {
  return events[event]?.open === true;
}

export function isClosed({
  action,
  promised,
}: Pick<AskedCall<{ readonly prog: ProgId }>, 'action' | 'promised'>): boolean {
  return !promised.open.includes(action.prog);
}

export const CLOSE_PERF_EVENT: CallErrnos<ClosePerfEvent> = {
  stages: [
    [reason('EBADF', 'there is no such event', ({ action, promised }) => !isOpen(promised, action.event))],
  ],
};

type Sets = PerfEventIocSetBpf | BpfLinkCreatePerfEvent;

/** Of an event on a kprobe. */
function isOnKprobe({ events }: Promises, event: string): boolean {
  return events[event] !== undefined && events[event]?.tracepoint === undefined;
}

/** The programs of the same array: of a tracepoint that of all its events, of a kprobe that of its own. */
function programsBeside(p: Promises, event: string): readonly Pick<EventProgram, 'event' | 'program'>[] {
  const own = p.clients.find(({ object, onEvent }) => object === event && onEvent !== undefined);
  const program = p.programs[own?.onEvent?.prog ?? 0]?.program;
  if (own !== undefined) return program === undefined ? [] : [{ event, program }];
  const tracepoint = p.events[event]?.tracepoint;
  return programsOf(p).filter((other) => p.events[other.event]?.tracepoint === tracepoint);
}

/** `BPF_PROG_TYPE_KPROBE`: those for kprobe.multi links are of the type as well, and an ioctl asks for no more. */
const OF_TYPE_KPROBE: readonly unknown[] = ['kprobe', 'entry', 'return', 'session'];

/** `BPF_TRACE_MAX_PROGS`. */
const PROGRAMS_MOST = 64;

function ofEvents<A extends Sets>(): readonly (readonly ReasonToRefuse<A>[])[] {
  return [
    [
      reason('EINVAL', 'the program is not for this kind of event', ({ action, promised: p }) => {
        const probe = p.programs[action.prog]?.probe;
        return isOnKprobe(p, action.event) ? !OF_TYPE_KPROBE.includes(probe) : probe !== 'tp';
      }),
      reason('EINVAL', 'the program may sleep', ({ action, promised: p }) => {
        return p.programs[action.prog]?.program.sleepable === true;
      }),
    ],
    [
      reason('EACCES', 'the program reads after the last field', ({ action, promised: p, declared }) => {
        const { accesses = [] } = p.programs[action.prog]?.program ?? {};
        const fields = declared.tracepoints[p.events[action.event]?.tracepoint ?? '']?.arguments;
        return fields !== undefined && accesses.some((number) => number >= fields);
      }),
    ],
    [
      reason('EEXIST', 'the event has a program', ({ action, promised: p }) => {
        return programsBeside(p, action.event).some(({ event }) => event === action.event);
      }),
    ],
    [
      reason('E2BIG', 'the events have too many programs', ({ action, promised: p }) => {
        return programsBeside(p, action.event).length >= PROGRAMS_MOST;
      }),
    ],
    [
      reason('EEXIST', 'another event has the program', ({ action, promised: p }) => {
        return programsBeside(p, action.event).some(({ program }) => program.id === action.prog);
      }),
    ],
  ];
}

export const PERF_EVENT_IOC_SET_BPF: CallErrnos<PerfEventIocSetBpf> = {
  stages: [
    [
      reason('EBADF', 'there is no such event', ({ action, promised }) => !isOpen(promised, action.event)),
      reason('EBADF', 'there is no such program', isClosed),
    ],
    ...ofEvents<PerfEventIocSetBpf>(),
  ],
};

export const BPF_LINK_CREATE_PERF_EVENT: CallErrnos<BpfLinkCreatePerfEvent> = {
  stages: [
    [reason('EBADF', 'there is no such program', isClosed)],
    [
      reason('EINVAL', 'it is no program for perf events', ({ action, promised: p, profile }) => {
        const probe = p.programs[action.prog]?.probe ?? '';
        // A kernel without sessions loads one as a program for kprobes.
        return !['tp', 'kprobe', ...(profile.kprobeSession ? [] : ['session'])].includes(probe);
      }),
    ],
    [reason('EBADF', 'there is no such event', ({ action, promised }) => !isOpen(promised, action.event))],
    ...ofEvents<BpfLinkCreatePerfEvent>(),
  ],
};

import type { Ip, LinkId, ProgId } from '../core/ids.ts';
import { NotModelled } from '../core/not-modelled.ts';
import type { Part } from '../core/part.ts';
import { entry, item } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import type { EventProbe } from '../tracepoint/perf-events.ts';
import {
  callOfEvent,
  dropEvent,
  eventCallOf,
  eventNamed,
  PERF_TRACE,
  perfEventsOf,
} from '../tracepoint/perf-events.ts';
import { tracepointProbeRegister, tracepointProbeUnregister } from '../tracepoint/register.ts';
import { DEFAULT_PRIO, isTracepoint, tracepointNamed } from '../tracepoint/tracepoint.ts';
import { bpfProgPut } from '../trampoline/release.ts';
import { bpfProgGet, dropLink, makeLink } from '../trampoline/tracing-attach.ts';
import { ZERO } from '../x86/word.ts';
import { perfEventDetachBpfProg, perfEventSetBpfProg } from './prog-array.ts';
import { hasMultiHelpers, isOfTypeKprobe } from './run-context.ts';
import {
  createLocalTraceKprobe,
  destroyLocalTraceKprobe,
  disableTraceKprobe,
  enableTraceKprobe,
} from './trace-kprobe.ts';

/*
 * Perf events on tracepoints and on kprobes, kernel/events/core.c and kernel/trace/trace_event_perf.c. The first event of a
 * tracepoint registers the probe that they share, the last one unregisters it and waits for its readers. An event on a
 * kprobe registers that disabled, enables it, and takes it off again (`trace-kprobe.ts`). One file on purpose: the two kinds
 * are one system call.
 */

/** The call of a tracepoint's event, as data of a probe. */
export function eventCallName(k: KernelView, tracepoint: string): string {
  return `call#${Object.keys(perfEventsOf(k).calls).indexOf(tracepoint)}`;
}

interface EventArgs {
  event: string;
}

interface OpenArgs extends EventArgs {
  tracepoint: string;
}

/** perf_event_open() for PERF_TYPE_TRACEPOINT: perf_trace_init() finds the tracepoint by the id of its event. */
export const perfEventOpen = routine<Kernel, OpenArgs>('perf_event_open', (words) => {
  const { allocate, holding, refuse, call, step } = words;
  return [
    allocate('the event'),
    holding('event_mutex', [
      refuse('EINVAL', 'no event has this id', (k, { tracepoint }) => !isTracepoint(k, tracepoint)),
      call(perfTraceEventReg, (_, { tracepoint }) => ({ name: tracepoint })),
    ]),
    step('open the file', (k, { event, tracepoint }) => {
      perfEventsOf(k).events[event] = { call: tracepoint, open: true, refs: 1, prog: 0 };
    }),
  ];
});

interface OpenKprobeArgs extends EventArgs {
  ip: Ip;
  on: EventProbe;
  /** At an instruction of a body: `KprobeSite.code`. */
  code: readonly string[];
}

/**
 * perf_event_open() of the perf_kprobe PMU: perf_kprobe_init() registers the kprobe, which perf_trace_event_reg() enables
 * with `event_mutex` held.
 */
export const perfEventOpenKprobe = routine<Kernel, OpenKprobeArgs>('perf_event_open (kprobe)', (words) => {
  const { allocate, holding, attempt, call, step } = words;
  return [
    allocate('the event'),
    call(createLocalTraceKprobe, (_, locals) => ({ ...locals })),
    holding('event_mutex', [
      attempt(
        [call(perfTraceEventReg, (_, { event }) => ({ name: event }))],
        [call(destroyLocalTraceKprobe, (_, { event }) => ({ event }))],
      ),
    ]),
    step('open the file', (k, { event }) => {
      perfEventsOf(k).events[event] = { call: event, open: true, refs: 1, prog: 0 };
    }),
  ];
});

interface CallArgs {
  /** The name of the event call. */
  name: string;
}

/** perf_trace_event_reg(): memory for the events of each CPU, and for the records of a hit. */
const perfTraceEventReg = routine<Kernel, CallArgs>(
  'perf_trace_event_reg',
  ({ step, finish, attempt, allocate, call, when }) => [
    step('count up perf_refcount', (k, { name }) => {
      if (!isOnKprobe(k, { name }) && tracepointNamed(k, name).faultable)
        throw new NotModelled(`a perf event on ${name}, whose probes may fault, is not modelled`);
      eventCallOf(k, name).perfRefcount++;
    }),
    finish('others are open', (k, { name }) => eventCallOf(k, name).perfRefcount > 1),
    attempt(
      [
        allocate('the lists of events'),
        when(
          'it is on a kprobe',
          isOnKprobe,
          [call(enableTraceKprobe, (_, { name }) => ({ event: name }))],
          [
            call(tracepointProbeRegister, (k, { name }) => ({
              ...probeOf(k, name),
              prio: DEFAULT_PRIO,
              mayExist: false,
            })),
          ],
        ),
      ],
      [
        step('count down perf_refcount', (k, { name }) => {
          eventCallOf(k, name).perfRefcount--;
        }),
      ],
    ),
  ],
);

function isOnKprobe(k: KernelView, { name }: CallArgs): boolean {
  return eventCallOf(k, name).probe !== undefined;
}

function probeOf(k: KernelView, tracepoint: string) {
  return { tracepoint, func: PERF_TRACE, data: eventCallName(k, tracepoint) };
}

/** close() of an event's file descriptor. */
export const closePerfEvent = routine<Kernel, EventArgs>('perf_release', ({ refuse, step, call }) => [
  refuse('EBADF', 'there is no such event', (k, { event }) => !isOpen(k, event)),
  step('close the file descriptor', (k, { event }) => {
    eventNamed(k, event).open = false;
  }),
  call(putEvent, (_, { event }) => ({ event })),
]);

function isOpen(k: KernelView, event: string): boolean {
  return k.perf?.events[event]?.open === true;
}

/**
 * fput() of an event's file; with the last reference _free_event() detaches its program and calls perf_trace_destroy() or
 * perf_kprobe_destroy().
 */
const putEvent = routine<Kernel, EventArgs>('_free_event', ({ step, finish, call, holding, when }) => [
  step('drop a reference', (k, { event }) => {
    eventNamed(k, event).refs--;
  }),
  finish('others have references', (k, { event }) => eventNamed(k, event).refs > 0),
  call(perfEventDetachBpfProg, (_, { event }) => ({ event })),
  holding('event_mutex', [
    call(perfTraceEventUnreg, (k, { event }) => ({ name: eventNamed(k, event).call })),
  ]),
  when('it is on a kprobe', (k, { event }) => callOfEvent(k, event).probe !== undefined, [
    call(destroyLocalTraceKprobe, (_, { event }) => ({ event })),
  ]),
  step('free the event', (k, { event }) => dropEvent(k, event)),
]);

/** perf_trace_event_unreg(). */
const perfTraceEventUnreg = routine<Kernel, CallArgs>(
  'perf_trace_event_unreg',
  ({ step, finish, call, when, wait }) => [
    step('count down perf_refcount', (k, { name }) => {
      eventCallOf(k, name).perfRefcount--;
    }),
    finish('others are open', (k, { name }) => eventCallOf(k, name).perfRefcount > 0),
    when(
      'it is on a kprobe',
      isOnKprobe,
      [call(disableTraceKprobe, (_, { name }) => ({ event: name }))],
      [
        call(
          tracepointProbeUnregister,
          (k, { name }) => ({ ...probeOf(k, name), prio: 0, mayExist: false }),
          () => {},
        ),
      ],
    ),
    // tracepoint_synchronize_unregister().
    when('there are probes that may fault', (k) => profileNamed(k.profile).faultableTracepoints, [
      wait('rcu_tasks_trace'),
    ]),
    wait('rcu'),
  ],
);

interface SetBpfArgs extends EventArgs {
  prog: ProgId;
}

/** PERF_EVENT_IOC_SET_BPF, _perf_ioctl() in kernel/events/core.c: the event holds the program, with no cookie. */
export const perfEventIocSetBpf = routine<Kernel, SetBpfArgs>('_perf_ioctl', ({ refuse, attempt, call }) => [
  refuse('EBADF', 'there is no such event', (k, { event }) => !isOpen(k, event)),
  refuse('EBADF', 'there is no such program', (k, { prog }) => !bpfProgGet(k, prog)),
  attempt(
    [call(perfEventSetBpfProg, (_, { event, prog }) => ({ event, prog, cookie: ZERO }))],
    [call(bpfProgPut, (_, { prog }) => ({ prog }))],
  ),
]);

interface LinkArgs extends SetBpfArgs {
  link: LinkId;
}

/** link_create() with BPF_PERF_EVENT. */
export const bpfPerfLinkAttach = routine<Kernel, LinkArgs>('bpf_perf_link_attach', (words) => [
  words.refuse('EBADF', 'there is no such program', (k, { prog }) => !bpfProgGet(k, prog)),
  words.attempt(attachHeld(words), [words.call(bpfProgPut, (_, { prog }) => ({ prog }))]),
]);

/** bpf_perf_link_attach(), kernel/bpf/syscall.c: the link holds the file of the event, which may be closed then. */
function attachHeld({ refuse, attempt, allocate, step, call }: RoutineWords<Kernel, LinkArgs>): Part[] {
  return [
    // bpf_prog_attach_check_attach_type(): one of kprobe.multi is for its own links.
    refuse('EINVAL', 'it is no program for perf events', (k, { prog }) => {
      const loaded = entry(k.bpf.progs, prog);
      return loaded.probe !== 'tp' && (!isOfTypeKprobe(loaded) || hasMultiHelpers(k, loaded));
    }),
    refuse('EBADF', 'there is no such event', (k, { event }) => !isOpen(k, event)),
    step('perf_event_get', (k, { event }) => {
      eventNamed(k, event).refs++;
    }),
    attempt(
      [
        allocate('the link'),
        step('make the link', (k, locals) => makeLink(k, locals, 'perf event', [locals.event])),
        attempt(
          [
            call(perfEventSetBpfProg, (k, { event, prog }) => ({
              event,
              prog,
              cookie: entry(k.bpf.progs, prog).program.cookie,
            })),
          ],
          [step('bpf_link_cleanup', dropLink)],
        ),
      ],
      [call(putEvent, (_, { event }) => ({ event }))],
    ),
    // One reference is the link's, the other the event's.
    step('bpf_prog_inc', (k, { prog }) => {
      entry(k.bpf.progs, prog).refs++;
    }),
  ];
}

/** bpf_perf_link_release(). */
export const bpfPerfLinkRelease = routine<Kernel, { link: LinkId }>('bpf_perf_link_release', ({ call }) => [
  call(perfEventDetachBpfProg, eventOf),
  call(putEvent, eventOf),
]);

function eventOf(k: KernelView, { link }: { link: LinkId }): EventArgs {
  return { event: item(entry(k.bpf.links, link).targets, 0) };
}

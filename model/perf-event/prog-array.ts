import type { ProgId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Kernel, KernelView } from '../kernel.ts';
import type { ProgArrayItem } from '../tracepoint/perf-events.ts';
import { callOfEvent, eventNamed, perfEventsOf, progArrayNamed } from '../tracepoint/perf-events.ts';
import { tracepointNamed } from '../tracepoint/tracepoint.ts';
import { bpfProgPut } from '../trampoline/release.ts';
import type { Word } from '../x86/word.ts';
import { isOfTypeKprobe } from './run-context.ts';

/*
 * A program joins or leaves the array of its event's programs, kernel/trace/bpf_trace.c, under `bpf_event_mutex`. The
 * array is replaced as a whole; a hit reads the old one or the new one.
 */

/** BPF_TRACE_MAX_PROGS: of all events of one event call. */
const PROGRAMS_MOST = 64;

interface AttachArgs {
  event: string;
  prog: ProgId;
  /** `bpf_cookie` of the link. */
  cookie: Word;
}

/**
 * __perf_event_set_bpf_prog(), kernel/events/core.c, for an event on a tracepoint or a kprobe. The type of a program is
 * compared, and not its `expected_attach_type`: one of kprobe.multi is accepted on a kprobe (`run-context.ts`). A program of a kprobe that may
 * sleep can be loaded, for uprobes. 7.2.13 refuses those for tracepoints, except on system calls, as its disassembly shows;
 * earlier kernels load none.
 */
export const perfEventSetBpfProg = routine<Kernel, AttachArgs>('perf_event_set_bpf_prog', (words) => {
  const { refuse, call } = words;
  return [
    refuse('EINVAL', 'it is no program for this kind of event', (k, { event, prog }) => {
      const loaded = entry(k.bpf.progs, prog);
      return callOfEvent(k, event).probe === undefined ? loaded.probe !== 'tp' : !isOfTypeKprobe(loaded);
    }),
    refuse('EINVAL', 'it may sleep, and the probe may not', (k, { prog }) => {
      return entry(k.bpf.progs, prog).program.sleepable;
    }),
    // `max_ctx_offset` against trace_event_get_offsets().
    refuse('EACCES', 'the program reads after the last field', (k, { event, prog }) => {
      if (callOfEvent(k, event).probe !== undefined) return false;
      const { accesses = [] } = entry(k.bpf.progs, prog).program;
      const { sizes } = tracepointNamed(k, eventNamed(k, event).call);
      return accesses.some((number) => number >= sizes.length);
    }),
    call(perfEventAttachBpfProg, (_, locals) => ({ ...locals })),
  ];
});

/** A change of the array between its steps. */
interface Changing {
  event: string;
  /** The array before; empty: NULL. */
  old?: string;
}

/** perf_event_attach_bpf_prog(). The event takes over the caller's reference on the program. */
const perfEventAttachBpfProg = routine<Kernel, AttachArgs, AttachArgs & Changing>(
  'perf_event_attach_bpf_prog',
  (words) => {
    const { holding, refuse, call, step } = words;
    return [
      holding('bpf_event_mutex', [
        refuse('EEXIST', 'the event has a program', (k, { event }) => eventNamed(k, event).prog !== 0),
        refuse('E2BIG', 'the event call has too many', (k, { event }) => {
          return programsOf(k, event).length >= PROGRAMS_MOST;
        }),
        call(bpfProgArrayCopy, (_, { event, prog }) => ({ event, exclude: 0, include: prog })),
        step('set event->prog', (k, { event, prog }) => {
          eventNamed(k, event).prog = prog;
        }),
        ...publish(words, (k, { event, prog, cookie }) => [...programsOf(k, event), { prog, cookie }]),
      ]),
    ];
  },
);

interface DetachArgs {
  event: string;
}

interface Detaching extends Changing {
  /** The program to be put; 0: the event has none. */
  prog: ProgId;
  failed?: boolean;
}

/**
 * perf_event_detach_bpf_prog(). Without memory for a smaller array dummy_bpf_prog takes the program's place. Hits that
 * have read the old array are waited for before the program is put; up to 6.12 with the mutex held.
 */
export const perfEventDetachBpfProg = routine<Kernel, DetachArgs, Detaching>(
  'perf_event_detach_bpf_prog',
  (words) => {
    const { holding, step, when, call } = words;
    return [
      holding('bpf_event_mutex', [
        step('read event->prog', (k, locals) => {
          locals.prog = eventNamed(k, locals.event).prog;
        }),
        when('it has a program', (_, { prog }) => prog !== 0, [
          call(
            bpfProgArrayCopy,
            (_, { event, prog }) => ({ event, exclude: prog, include: 0 }),
            (_, locals, errno) => {
              locals.failed = errno !== 0;
            },
          ),
          when(
            'there is no memory',
            (_, { failed }) => failed === true,
            [step('bpf_prog_array_delete_safe', deleteSafe)],
            publish(words, (k, { event, prog }) => programsOf(k, event).filter((item) => item.prog !== prog)),
          ),
          when('the mutex is kept', putsUnderMutex, putProgram(words)),
          step('clear event->prog', (k, { event }) => {
            eventNamed(k, event).prog = 0;
          }),
        ]),
      ]),
      when('the mutex is free', (k, locals) => locals.prog !== 0 && !putsUnderMutex(k), putProgram(words)),
    ];
  },
);

function putsUnderMutex({ profile }: KernelView): boolean {
  return profileNamed(profile).perfProgPutUnderMutex;
}

/** The program may be one for RCU alone, and the section that of a program that sleeps. */
function putProgram({ wait, call }: RoutineWords<Kernel, Detaching>): Part[] {
  return [wait('rcu_tasks_trace'), call(bpfProgPut, (_, { prog }) => ({ prog }))];
}

interface CopyArgs {
  event: string;
  /** 0: none. */
  exclude: ProgId;
  include: ProgId;
}

/** bpf_prog_array_copy(), kernel/bpf/core.c: memory for the programs of the new array, if there are any. */
const bpfProgArrayCopy = routine<Kernel, CopyArgs>('bpf_prog_array_copy', ({ refuse, when, allocate }) => [
  refuse('EEXIST', 'the program is there', (k, { event, include }) => {
    return programsOf(k, event).some(({ prog }) => prog === include);
  }),
  when(
    'programs are left',
    (k, { event, exclude, include }) =>
      include !== 0 || programsOf(k, event).some(({ prog }) => prog !== exclude),
    [allocate('the new array')],
  ),
]);

/** rcu_assign_pointer() of an array with these programs, or of NULL; the old one is freed when no hit reads it. */
function publish<L extends Changing>(
  { step, reclaim }: RoutineWords<Kernel, L>,
  programs: (k: KernelView, locals: L) => readonly ProgArrayItem[],
): Part[] {
  return [
    step('publish prog_array', (k, locals) => {
      const call = callOfEvent(k, locals.event);
      const items = programs(k, locals);
      locals.old = call.progArray;
      call.progArray = items.length === 0 ? '' : newArray(k, items);
    }),
    reclaim('bpf_prog_array_free_sleepable', freeProgArray, (_, { old = '' }) =>
      old === '' ? undefined : { array: old },
    ),
  ];
}

function newArray(k: Kernel, items: readonly ProgArrayItem[]): string {
  const all = perfEventsOf(k);
  all.made++;
  const name = `progs#${all.made}`;
  all.arrays[name] = items.map(({ prog, cookie }) => ({ prog, cookie }));
  return name;
}

/** The array that is in use has a program less: a single word changes. */
function deleteSafe(k: Kernel, { event, prog }: Detaching): void {
  const { progArray } = callOfEvent(k, event);
  for (const item of progArrayNamed(k, progArray)) if (item.prog === prog) item.prog = 0;
}

/** The programs of all events of an event's call, the oldest first, without dummy_bpf_prog. */
function programsOf(k: KernelView, event: string): readonly DeepReadonly<ProgArrayItem>[] {
  const { progArray } = callOfEvent(k, event);
  return progArray === '' ? [] : progArrayNamed(k, progArray).filter(({ prog }) => prog !== 0);
}

/** __bpf_prog_array_free_sleepable_cb(): a period of RCU tasks-trace is one of RCU too. */
export const freeProgArray = routine<Kernel, { array: string }>(
  '__bpf_prog_array_free_sleepable_cb',
  ({ wait, step }) => [
    wait('rcu_tasks_trace'),
    step('free the array', (k, { array }) => {
      delete perfEventsOf(k).arrays[array];
    }),
  ],
);

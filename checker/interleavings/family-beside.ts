import type { Action } from '../../model/client/all.ts';
import { eventLinked } from '../../model/client/bpf-link-create-perf-event.ts';
import { kprobeLoad, rawTracepointLoad, tracepointLoad } from '../../model/client/bpf-prog-load.ts';
import { rawTracepointOpen } from '../../model/client/bpf-raw-tracepoint-open.ts';
import { filterOn } from '../../model/client/ftrace-set-filter-ip.ts';
import { eventOn } from '../../model/client/perf-event-open.ts';
import type { PerfEventOpenKprobe } from '../../model/client/perf-event-open-kprobe.ts';
import { kprobeEvent } from '../../model/client/perf-event-open-kprobe.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { declareTracepoint } from '../../model/raw-tracepoint/tracepoints.ts';
import { DEFAULT_PRIO } from '../../model/tracepoint/tracepoint.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { callerOf } from '../../properties/observed/sample-call.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import type { FamilyScenario } from './family.ts';
import { link, load } from './family-operations.ts';

/*
 * Small scenarios beside the pairs of a family, on what these leave out: hits of a tracepoint, perf events of
 * kprobes, a program that is freed, the second site of a batch, and the handler of another int3.
 */

/** The scenarios of a kernel, each with one caller. */
export function beside(profile: string, cpus: number): FamilyScenario[] {
  return [
    ...onTracepoint(),
    ...EVENTS,
    ...kprobeEvents(profile),
    ...FREED,
    ...BATCHES,
    ...AT_AN_INT3,
    ...graphUsers(profile),
    TAKEN_OVER,
  ].map(({ name, ...scenario }) => ({ name, scenario: { profile, cpus, ...scenario } }));
}

type Beside = { readonly name: string } & Omit<Scenario, 'profile' | 'cpus'>;

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const F2 = tracedFunction('f2', 2, 'u64 -> u64');

const TP1 = declareTracepoint('tp1', 'ptr, u32');

/** An operation on the tracepoint: the setup that it needs, and its call. */
interface OnTracepoint {
  readonly name: string;
  readonly setup: (own: number) => readonly Action[];
  readonly action: (own: number) => Action;
}

const probe = (own: number) => ({ tracepoint: TP1.name, func: `my_probe${own}`, data: `data#${own}` });
/** The second of two is called first, so that it takes the place of the first in the array. */
const addProbe = (own: number): Action => ({
  do: 'tracepoint_probe_register_prio',
  ...probe(own),
  prio: DEFAULT_PRIO + own - 1,
});
const openRaw = (own: number) => rawTracepointOpen(own, TP1.name);

const OPERATIONS: readonly OnTracepoint[] = [
  { name: 'add a probe tp1', setup: () => [], action: addProbe },
  {
    name: 'remove a probe tp1',
    setup: (own) => [addProbe(own)],
    action: (own) => ({ do: 'tracepoint_probe_unregister', ...probe(own) }),
  },
  { name: 'attach tp1', setup: (own) => [rawTracepointLoad(own)], action: openRaw },
  {
    name: 'detach tp1',
    setup: (own) => [rawTracepointLoad(own), openRaw(own)],
    action: (own) => ({ do: 'close(link)', link: `link#${own}` }),
  },
];

/** A probe comes before two, which are unregistered: the last call of the iterator had the data of another one. */
const TAKEN_OVER: Beside = {
  name: 'a probe takes the place of two tp1',
  functions: [],
  tracepoints: [TP1],
  setup: [addProbe(1), addProbe(2)],
  clients: [
    [addProbe(3), ...[2, 1].map((own): Action => ({ do: 'tracepoint_probe_unregister', ...probe(own) }))],
  ],
  callers: [callerOf(TP1.name)],
};

/** Every pair of operations on a tracepoint, and a task that hits it. */
function onTracepoint(): Beside[] {
  return OPERATIONS.flatMap((first, i) =>
    OPERATIONS.slice(i).map((second) => ({
      name: `${first.name}, ${second.name}`,
      functions: [],
      tracepoints: [TP1],
      setup: [...first.setup(1), ...second.setup(2)],
      clients: [[first.action(1)], [second.action(2)]],
      callers: [callerOf(TP1.name)],
    })),
  );
}

/** A client detaches its program and closes it: nothing holds it any more. */
const FREED: readonly Beside[] = [
  {
    name: 'detach and unload f1',
    functions: [F1],
    setup: [load(1, 'fentry', 'f1'), link(1), load(2, 'fexit', 'f1'), link(2)],
    clients: [
      [
        { do: 'close(link)', link: 'link#1' },
        { do: 'close(prog)', prog: 1 },
      ],
    ],
    callers: [callerOf('f1')],
  },
];

/** A program of a perf event goes, and is freed, while one joins by another event of the tracepoint. */
const EVENTS: readonly Beside[] = [
  {
    name: 'attach and detach perf events tp1',
    functions: [],
    tracepoints: [TP1],
    setup: [
      tracepointLoad(1, 'tp'),
      eventOn(1, TP1.name),
      { do: 'PERF_EVENT_IOC_SET_BPF', event: 'perf#1', prog: 1 },
      tracepointLoad(2, 'tp'),
      eventOn(2, TP1.name),
    ],
    clients: [
      [
        { do: 'close(perf_event)', event: 'perf#1' },
        { do: 'close(prog)', prog: 1 },
      ],
      [eventLinked(2)],
    ],
    callers: [callerOf(TP1.name)],
  },
];

/**
 * The same on kprobes of a function, where each event has an array of its own; a link that leaves its event without a
 * program; and an event on returns, where the kernel has those on rethook.
 */
function kprobeEvents(profile: string): Beside[] {
  const on = { functions: [F1], callers: [callerOf('f1')] };
  const first = [kprobeLoad(1), kprobeEvent(1, 'f1')];
  const returns: PerfEventOpenKprobe = { ...kprobeEvent(1, 'f1'), on: 'kretprobe' };
  return [
    {
      ...on,
      name: 'attach and detach perf events f1',
      setup: [...first, set(1), kprobeLoad(2), kprobeEvent(2, 'f1')],
      clients: [[closed(1), { do: 'close(prog)', prog: 1 }], [eventLinked(2)]],
    },
    {
      ...on,
      name: 'replace the program of a perf event f1',
      setup: [...first, eventLinked(1), kprobeLoad(2)],
      clients: [[{ do: 'close(link)', link: 'link#1' }, set(2, 1)]],
    },
    {
      ...on,
      name: 'open and attach a perf event f1',
      setup: [kprobeLoad(1)],
      clients: [[kprobeEvent(1, 'f1'), set(1)]],
    },
    ...(profileNamed(profile).kretprobe === 'ret_stack'
      ? []
      : [
          {
            ...on,
            name: 'detach a perf event of returns f1',
            setup: [kprobeLoad(1), returns, set(1)],
            clients: [[closed(1), { do: 'close(prog)', prog: 1 } as const]],
          },
        ]),
  ];
}

function set(prog: number, event = prog): Action {
  return { do: 'PERF_EVENT_IOC_SET_BPF', event: `perf#${event}`, prog };
}

function closed(event: number): Action {
  return { do: 'close(perf_event)', event: `perf#${event}` };
}

const OPS = 'ops#1';
const bothIn = (direct: boolean): readonly Action[] => [
  { do: 'ftrace_ops', ops: OPS, flags: 0, direct },
  filterOn(OPS, 'f1'),
  filterOn(OPS, 'f2'),
];
const registerBoth: Action = { do: 'register_ftrace_direct', ops: OPS, addr: 'my_tramp1' };

function onBatch(name: string, setup: readonly Action[], action: Action): Beside {
  return { name, functions: [F1, F2], setup, clients: [[action]], callers: [callerOf('f2')] };
}

/** An operation on two sites at once, and a task that calls the second. */
const BATCHES: readonly Beside[] = [
  onBatch('register f1+f2', bothIn(true), registerBoth),
  onBatch('modify f1+f2', [...bothIn(true), registerBoth], {
    do: 'modify_ftrace_direct',
    ops: OPS,
    addr: 'my_tramp2',
  }),
  onBatch('unregister f1+f2', [...bothIn(true), registerBoth], {
    do: 'unregister_ftrace_direct',
    ops: OPS,
    addr: 'my_tramp1',
    freeFilters: true,
  }),
  onBatch('trace f1+f2', bothIn(false), { do: 'register_ftrace_function', ops: OPS }),
];

/** A text poke while a task comes to the int3 of a kprobe, whose handler searches in the batch. */
const AT_AN_INT3: readonly Beside[] = [
  {
    name: 'trace f2 beside a kprobe in f1',
    functions: [F1, F2],
    setup: [
      { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', offset: 10, post: false },
      { do: 'ftrace_ops', ops: OPS, flags: 0, direct: false },
      filterOn(OPS, 'f2'),
    ],
    clients: [[{ do: 'register_ftrace_function', ops: OPS }]],
    callers: [callerOf('f1')],
  },
];

/** One of two users of function graph comes or goes: calls find the array, or the only user. */
function graphUsers(profile: string): Beside[] {
  if (profileNamed(profile).fgraph === 'single') return [];
  const register = (own: number): Action => ({ do: 'register_ftrace_graph', gops: `gops#${own}` });
  const setup = [filterOn('gops#1.ops', 'f1'), filterOn('gops#2.ops', 'f1'), register(1)];
  const on = { functions: [F1], callers: [callerOf('f1')] };
  return [
    { ...on, name: 'graph on f1 beside another user', setup, clients: [[register(2)]] },
    {
      ...on,
      name: 'graph off f1 beside another user',
      setup: [...setup, register(2)],
      clients: [[{ do: 'unregister_ftrace_graph', gops: 'gops#2' }]],
    },
  ];
}

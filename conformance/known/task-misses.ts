import { eventLinked } from '../../model/client/bpf-link-create-perf-event.ts';
import { kprobeLoad, tracepointLoad } from '../../model/client/bpf-prog-load.ts';
import { eventOn } from '../../model/client/perf-event-open.ts';
import { kprobeEvent } from '../../model/client/perf-event-open-kprobe.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { INTERRUPTIONS } from '../../properties/observed/scenario.ts';
import { calls, close, open, scenario } from '../../properties/planted/interleavings/scenarios.ts';
import { hitOf, TRACEPOINT } from '../../properties/planted/interleavings/tracepoints.ts';
import { F1, F2, fprobe, kprobe, link, load, probeLoad } from '../../properties/planted/sequences/actions.ts';
import { missesAreCountedOnceInTasks } from '../../properties/task/each-missed-call-is-counted-once.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { namesTwice } from './cause.ts';
import { IN_ITS_CALL } from './task-causes.ts';
import type { KnownTask } from './task-known.ts';
import { found, seenInstead } from './task-shows.ts';

/** Kprobes of the CPU are skipped meanwhile: a kprobe runs, or the entry handler of an fprobe that is shared with them. */
const RUNS_AS_A_KPROBE = [
  'kprobe_ftrace_handler',
  'arch_rethook_trampoline_callback',
  'optimized_callback',
  'fprobe_kprobe_handler',
  'fprobe_ftrace_entry',
  'fprobe_fgraph_entry',
];

/** The entry handler of a shared fprobe runs in a call, and an interrupt calls the function of two kprobes. */
export const SKIPPED_BESIDE_A_SHARED_FPROBE = scenario({
  functions: [F1],
  setup: [
    kprobe(1),
    kprobe(2),
    { do: 'disable_kprobe', kp: 'kprobe#2' },
    { ...fprobe(1, true, false), shared: true },
  ],
  callers: [calls('f1', { interrupt: calls('f1').call })],
});

/** Misses that are counted for a client which is not owed the call, and those that are not counted. */
export const KNOWN_MISSES: readonly KnownTask[] = [
  {
    name: 'disabled-kprobe-counts-misses',
    sentence:
      'A kprobe that its client has disabled, beside an enabled one at the same address, counts each call that the two are skipped in, as if it had missed it.',
    evidence:
      'kernel/kprobes.c of all three  kprobes_inc_nmissed_count: adds to each kprobe of the aggregate; aggr_pre_handler() calls only those without KPROBE_FLAG_DISABLED',
    law: missesAreCountedOnceInTasks,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: [],
    shows: found(
      'counted-misses-differ',
      (finding, scenario) =>
        finding.expected === 0 && finding.observed === 1 && isDisabled(scenario, finding.who),
    ),
    cause: {
      last: { within: RUNS_AS_A_KPROBE },
    },
    scenario: scenario({
      functions: [F1],
      setup: [kprobe(1), kprobe(2), { do: 'disable_kprobe', kp: 'kprobe#2' }],
      callers: [calls('f1', { interrupt: calls('f1').call })],
    }),
    moves: [14, 14, 14],
  },
  {
    name: 'program-of-an-event-is-skipped-uncounted',
    sentence:
      'The program of a perf event on a kprobe is skipped, because the program of another event runs on the CPU: no counter tells it.',
    evidence:
      'kernel/trace/bpf_trace.c of 6.1.192  trace_call_bpf: out of it if bpf_prog_active was set; bpf_prog_inc_misses_counters() there since 6.7',
    law: probesSeeOldOrNew,
    kernels: ['6.1'],
    others: ['6.12', '7.2'],
    restsOn: ['perfMissesCounted'],
    shows: seenInstead(['kprobe', 'kretprobe'], 0, ({ who }) => who.startsWith('perf#')),
    cause: { last: { within: ['trace_call_bpf'] } },
    scenario: scenario({
      functions: [F1],
      tracepoints: [TRACEPOINT],
      setup: [
        kprobeLoad(1),
        kprobeEvent(1, 'f1'),
        { do: 'PERF_EVENT_IOC_SET_BPF', event: 'perf#1', prog: 1 },
        tracepointLoad(2, 'tp'),
        eventOn(2, TRACEPOINT.name),
        eventLinked(2),
      ],
      callers: [{ ...hitOf(TRACEPOINT), interrupt: calls('f1').call }],
    }),
    moves: [23],
  },
  {
    name: 'fprobe-counts-a-call-whose-return-it-sees',
    sentence:
      'An fprobe that is shared with kprobes and has no entry handler counts a call in an interrupt, while a kprobe runs on the CPU, as missed: its exit handler runs for it all the same.',
    evidence:
      'shown on 7.2.13 with a module whose pre_handler calls the function: nmissed 1 and the exit handler once, with an entry handler or without; kernel/trace/fprobe.c of 7.2  __fprobe_kprobe_handler: nmissed++ and 0 while kprobe_running(), before __fprobe_handler() looks for an entry handler; fprobe_fgraph_entry: only another answer keeps the exit handler off',
    law: missesAreCountedOnceInTasks,
    kernels: ['7.2'],
    others: ['6.12'],
    lacks: ['6.1'],
    restsOn: ['fprobe'],
    shows: found(
      'counted-misses-differ',
      (finding, scenario) =>
        finding.expected === 0 &&
        finding.observed === 1 &&
        isInterrupted(scenario) &&
        hasSharedExitAlone(scenario, finding.who),
    ),
    cause: { last: IN_ITS_CALL },
    scenario: scenario({
      functions: [F1],
      setup: [{ ...fprobe(1, false, true), shared: true }],
      callers: [calls('f1', { interrupt: calls('f1').call })],
    }),
    moves: [45],
  },
  {
    name: 'kprobe-multi-counts-a-miss-for-each-name',
    sentence:
      'A kprobe.multi link that names a function twice has two nodes in fprobe_ip_table: its program counts a call that it misses twice. 6.12 counts it once.',
    evidence:
      'two nodes: recorded on 7.2.13 (bm+ f2,f2 0 kpm); kernel/trace/fprobe.c of 7.2.13  fprobe_ftrace_entry, fprobe_fgraph_entry: the handler is called for each node; kernel/trace/bpf_trace.c  kprobe_multi_link_prog_run: bpf_prog_inc_misses_counter() if a program runs on the CPU',
    law: missesAreCountedOnceInTasks,
    kernels: ['7.2'],
    others: ['6.12'],
    lacks: ['6.1'],
    restsOn: ['fprobe'],
    shows: found(
      'counted-misses-differ',
      (finding, { setup, clients }) =>
        finding.observed > finding.expected &&
        [...setup, ...clients.flat()].some(
          (action) =>
            action.do === 'BPF_LINK_CREATE' &&
            finding.who === `prog#${action.prog}` &&
            namesTwice(action.targets),
        ),
    ),
    cause: { last: IN_ITS_CALL },
    scenario: scenario({
      functions: [F1, F2],
      setup: [probeLoad({}), link(1, 1, ['f1', 'f2', 'f2'])],
      callers: [calls('f1', { interrupt: calls('f2').call })],
    }),
    moves: [18],
  },
  {
    name: 'program-that-failed-to-detach-counts-misses',
    sentence:
      'A program is detached, and there is no memory for a new image: the old one runs it on, and where it is skipped in an interrupt, it counts a miss of a call that it is not owed.',
    evidence:
      'as image-of-a-program-that-failed-to-detach; kernel/bpf/trampoline.c of 6.1 and 6.12  __bpf_prog_enter_recur: bpf_prog_inc_misses_counter(). 7.2 needs no memory',
    law: missesAreCountedOnceInTasks,
    kernels: ['6.1', '6.12'],
    others: ['7.2'],
    restsOn: ['imageLifecycle'],
    shows: found('counted-misses-differ', ({ expected, who }) => expected === 0 && who.startsWith('prog#')),
    cause: {
      stood: [
        {
          at: 'anywhere',
          did: [{ by: 'bpf_trampoline_update', within: 'bpf_link_release', refused: 'ENOMEM' }],
        },
      ],
    },
    scenario: scenario({
      setup: [load(1), load(2), open(2), open(1)],
      clients: [[{ do: 'fail', fault: { what: 'allocation', where: 'bpf_trampoline_update' } }, close(2)]],
      callers: [calls('f1', { interrupt: calls('f1').call })],
    }),
    moves: [30, 30],
  },
];

/** A call comes on top of another, and finds what that one is in. */
function isInterrupted({ callers }: Scenario): boolean {
  return callers.some((caller) => INTERRUPTIONS.some((kind) => caller[kind] !== undefined));
}

function hasSharedExitAlone({ setup, clients }: Scenario, who: string): boolean {
  return [...setup, ...clients.flat()].some(
    (action) =>
      action.do === 'register_fprobe_ips' &&
      action.fprobe === who &&
      action.shared === true &&
      action.exit &&
      !action.entry,
  );
}

/** A client disables it, or has registered it so. */
function isDisabled({ setup, clients }: Scenario, who: string): boolean {
  return [...setup, ...clients.flat()].some((action) => {
    switch (action.do) {
      case 'disable_kprobe':
        return action.kp === who;
      case 'register_kprobe':
        return action.kprobe === who && action.disabled === true;
      default:
        return false;
    }
  });
}

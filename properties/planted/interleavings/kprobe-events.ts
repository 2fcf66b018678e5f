import type { Action } from '../../../model/client/all.ts';
import { eventLinked } from '../../../model/client/bpf-link-create-perf-event.ts';
import { kprobeLoad } from '../../../model/client/bpf-prog-load.ts';
import { kprobeEvent } from '../../../model/client/perf-event-open-kprobe.ts';
import { missesAreCountedOnceInTasks } from '../../task/each-missed-call-is-counted-once.ts';
import { noHandlerAfterUnregister } from '../../task/no-handler-after-unregister.ts';
import { noRecursionOnOneCpu } from '../../task/no-recursion-on-one-cpu.ts';
import { noWarnAndNoOops } from '../../task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../task/probes-see-old-or-new.ts';
import { link, probeLoad } from '../sequences/actions.ts';
import { dropped, edit, instead } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { calls, scenario } from './scenarios.ts';
import { RUNS_IN_ANOTHER } from './tracepoints.ts';

const OPENED = [kprobeLoad(1), kprobeEvent(1, 'f1')];
const SET: Action = { do: 'PERF_EVENT_IOC_SET_BPF', event: 'perf#1', prog: 1 };
const CLOSE: Action = { do: 'close(perf_event)', event: 'perf#1' };

/** An interrupt in the program of a link calls the function again, on which a perf event has a program. */
const IN_A_PROGRAM = scenario({
  setup: [probeLoad({ id: 2 }), link(1, 2, ['f1']), ...OPENED, SET],
  callers: [calls('f1', { interrupt: calls('f1').call })],
});

/** Planted bugs in perf events on kprobes: how they end, and which program they run. */
export const PLANTED_KPROBE_EVENTS: readonly TaskPlanted[] = [
  {
    name: 'kprobe-of-an-event-is-freed-under-its-handler',
    sentence: 'The kprobe of a perf event is freed without a grace period: its handler is still running.',
    history: undefined,
    law: noHandlerAfterUnregister,
    profile: '6.12',
    edits: [
      edit('perf_trace_event_unreg', 'wait for rcu', dropped),
      edit('unregister_kprobe', 'wait for rcu', dropped),
    ],
    scenario: scenario({ setup: OPENED, clients: [[CLOSE]] }),
    finding:
      'an object that a call uses is allocated / use after free: perf#1 has been freed (kprobe_ftrace_handler)',
    moves: 62,
  },
  {
    name: 'array-of-an-event-is-freed-at-once',
    sentence: 'The array of the program that leaves the event of a kprobe is freed without a grace period.',
    history: undefined,
    law: noWarnAndNoOops,
    profile: '6.12',
    edits: [edit('__bpf_prog_array_free_sleepable_cb', 'wait for rcu_tasks_trace', dropped)],
    scenario: scenario({ setup: [...OPENED, SET], clients: [[CLOSE]] }),
    finding: 'no oops / read of freed data: progs#1, an array of programs',
    moves: 17,
  },
  {
    name: 'program-of-a-closed-link-stays-in-the-array',
    sentence:
      'perf_event_detach_bpf_prog() leaves the array as it is: the event runs the program that its link took along.',
    history: undefined,
    law: probesSeeOldOrNew,
    profile: '6.12',
    edits: [edit('perf_event_detach_bpf_prog', 'publish prog_array', dropped)],
    scenario: scenario({
      setup: [...OPENED, eventLinked(1)],
      clients: [[{ do: 'close(link)', link: 'link#1' }]],
    }),
    finding: 'perf#1 never sees f1 (kprobe) / it does',
    moves: 25,
  },
  {
    name: 'program-of-a-kprobe-event-runs-in-another',
    sentence: 'trace_call_bpf() counts in bpf_prog_active, and does not test it.',
    history: undefined,
    law: noRecursionOnOneCpu,
    profile: '6.12',
    edits: RUNS_IN_ANOTHER,
    scenario: IN_A_PROGRAM,
    finding: 'perf#1 misses the call of f1 from an interrupt in a handler / it sees the call',
    moves: 62,
  },
  {
    name: 'program-of-a-kprobe-event-is-counted-twice',
    sentence: 'trace_call_bpf() counts a program that it skips once for the array, and once for itself.',
    history: undefined,
    law: missesAreCountedOnceInTasks,
    profile: '6.12',
    edits: [
      edit(
        'trace_call_bpf',
        'run, or count, the next program',
        instead(({ bpf }, locals, own) => {
          own();
          if (locals['isFirst'] !== true) bpf.progs[1]!.misses++;
        }),
      ),
    ],
    scenario: IN_A_PROGRAM,
    finding: 'prog#1 misses 1 of its calls, and counts 1 / it counts 2',
    moves: 60,
  },
];

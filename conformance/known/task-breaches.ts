import {
  asleepIn,
  close,
  closeProg,
  ENDS_IN_THE_FUNCTION,
  kfree,
  loadSleepable,
  open,
  scenario,
} from '../../properties/planted/interleavings/scenarios.ts';
import { graph, load } from '../../properties/planted/sequences/actions.ts';
import { imageReferencesAreReturned } from '../../properties/task/image-references-are-returned.ts';
import { noCallToAFreedProgram } from '../../properties/task/no-call-to-a-freed-program.ts';
import { noFetchFromFreedMemory } from '../../properties/task/no-fetch-from-freed-memory.ts';
import { noHandlerAfterUnregister } from '../../properties/task/no-handler-after-unregister.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { KNOWN_TASKS_OF_FUNCTION_GRAPH } from './designs/function-graph-tasks.ts';
import { KNOWN_GLOBAL_TASKS } from './designs/global-tasks.ts';
import { KNOWN_MIXING_TASKS } from './designs/mixing-tasks.ts';
import { ALL_SECTIONS, IN_ITS_CALL } from './task-causes.ts';
import { KNOWN_DETOURS } from './task-detours.ts';
import { KNOWN_DIRECT_MODE } from './task-direct-mode.ts';
import { KNOWN_EMPTIED_FILTERS } from './task-emptied-filters.ts';
import { KNOWN_FAILED_DETACHES } from './task-failed-detaches.ts';
import type { KnownTask } from './task-known.ts';
import { KNOWN_LEAVERS } from './task-leavers.ts';
import { KNOWN_MISSES } from './task-misses.ts';
import { KNOWN_READERS } from './task-readers.ts';
import { KNOWN_REFUSED_REGISTRATIONS } from './task-refused.ts';
import { KNOWN_RESTARTED_WALKS } from './task-restarted-walks.ts';
import { KNOWN_SHIMMED } from './task-shims.ts';
import { FETCHES_FREED, found, isClients, isProgram, seenInstead, usesFreed } from './task-shows.ts';
import { KNOWN_TRACEPOINTS } from './task-tracepoints.ts';
import { KNOWN_WALKS } from './task-walks.ts';

/** 6.1 as built has no functions that a sleepable program may trace. */
const V6_1_SLEEPABLE = '6.1, sleepableTargets = true';

const USES_A_FREED_PROGRAM = usesFreed('program', ({ number }) => number > 0);

export const KNOWN_TASK: readonly KnownTask[] = [
  {
    name: 'rcu-tasks-trace-before-rcu-tasks',
    sentence:
      'An image without exit programs waits for RCU-tasks-trace, then RCU-tasks. A task preempted in its first instructions during the first wait, and asleep in a sleepable program during the second, resumes in freed memory.',
    evidence:
      'kernel/bpf/trampoline.c of all three  bpf_tramp_image_put, __bpf_tramp_image_put_rcu_tasks_trace: one period of each, in this order',
    law: noFetchFromFreedMemory,
    kernels: [V6_1_SLEEPABLE, '6.12', '7.2'],
    others: [],
    variants: ['batch', 'splitting', 'multi ids', 'program sets'],
    restsOn: ['imageLifecycle'],
    shows: FETCHES_FREED,
    cause: {
      freed: {
        by: 'bpf_tramp_image_free',
        waits: [
          [
            { flavour: 'rcu_tasks_trace', task: { lacks: ['rcu trace'] } },
            { flavour: 'rcu_tasks', task: { in: ['program'], sleepable: true, condition: 'asleep' } },
            { flavour: 'workqueue' },
          ],
        ],
      },
    },
    scenario: scenario({ setup: [loadSleepable(1), load(2), open(1)], clients: [[open(2)]] }),
    moves: [41, 41, 74],
  },
  {
    name: 'retired-image-loses-exits',
    sentence:
      'A replaced image is patched so that tasks returning from the original skip all of its exit programs, including those that stay attached.',
    evidence:
      'shown on 6.1.192 and 6.12.117, on 6.12.117 by an attach as well, and not on 7.2.13; kernel/bpf/trampoline.c  bpf_tramp_image_put: the poke of im->ip_after_call',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12'],
    others: ['7.2'],
    variants: ['batch', 'splitting', 'multi ids', 'program sets'],
    restsOn: ['imageLifecycle'],
    shows: seenInstead(['program'], 0, ({ who }, scenario) =>
      isProgram(scenario, who, ({ kind }) => kind === 'fexit'),
    ),
    cause: {
      stood: [
        {
          at: IN_ITS_CALL,
          did: [{ by: 'text_poke_bp_batch', within: 'bpf_tramp_image_put', image: 'retired' }],
        },
      ],
    },
    scenario: scenario({
      setup: [load(1, 'fexit'), load(2, 'fexit'), open(1)],
      clients: [[open(2)]],
      callers: [asleepIn('body_hook')],
    }),
    moves: [37, 37],
  },
  {
    name: 'detached-program-is-called-after-a-sleep',
    sentence:
      'A task is in a sleepable program of an image, or on the way into it or out of it, where RCU does not wait for it; the next program is detached and freed; the task calls it.',
    evidence:
      'shown on 6.12.117, which panics in __bpf_prog_enter_recur(), and not on 7.2.13; kernel/bpf/trampoline.c of 6.1 and 6.12  bpf_tramp_image_put; bpf: Skip detached progs in trampoline images that are still in use (7.2.10)',
    law: noCallToAFreedProgram,
    kernels: [V6_1_SLEEPABLE, '6.12'],
    others: ['7.2'],
    restsOn: ['imageLifecycle'],
    shows: USES_A_FREED_PROGRAM,
    cause: {
      last: IN_ITS_CALL,
      freed: {
        by: '__bpf_prog_put',
        waits: [[{ flavour: 'rcu', task: { holds: 'rcu trace', lacks: ['preemption off', 'rcu'] } }]],
      },
    },
    scenario: scenario({
      setup: [loadSleepable(1), load(2), open(2), open(1)],
      clients: [[close(2), closeProg(2)]],
      callers: [asleepIn('prog#1')],
    }),
    moves: [51, 51],
  },
  {
    name: 'program-is-freed-before-its-entry',
    sentence:
      'A task is preempted in an image before a program, outside any RCU read-side section; the program is detached, and freed after a grace period that does not see the task: before it enters the program, in it, or when it leaves.',
    evidence:
      'kernel/bpf/syscall.c of 6.1 and 6.12  __bpf_prog_put_noref; bpf: Wait for an RCU tasks GP before freeing trampoline progs (7.2.10)',
    law: noCallToAFreedProgram,
    kernels: ['6.1', '6.12'],
    others: ['7.2'],
    restsOn: ['imageLifecycle'],
    shows: USES_A_FREED_PROGRAM,
    cause: {
      last: IN_ITS_CALL,
      freed: {
        by: '__bpf_prog_put',
        waits: [
          [{ flavour: 'rcu', task: { lacks: ALL_SECTIONS } }],
          [{ flavour: 'rcu_tasks_trace', task: { lacks: ALL_SECTIONS } }],
        ],
      },
    },
    scenario: scenario({
      setup: [load(1), load(2), open(1), open(2)],
      clients: [[close(2), closeProg(2)]],
    }),
    moves: [49, 49],
  },
  {
    name: 'image-of-a-function-that-does-not-return',
    sentence:
      "An exit program is attached to a function that does not return: the image's reference is taken and never dropped, and the image is never freed.",
    evidence:
      'kernel/bpf/verifier.c of 6.1  check_attach_btf_id has no noreturn_deny; bpf: Reject attaching fexit/fmod_ret to __noreturn functions (6.15; 6.12.27)',
    law: imageReferencesAreReturned,
    kernels: ['6.1'],
    others: ['6.12', '7.2'],
    restsOn: ['noreturnRefused'],
    shows: found('reference-is-kept', ({ refs }) => refs > 0),
    cause: { ended: { within: ['do_task_dead'] } },
    scenario: ENDS_IN_THE_FUNCTION,
    moves: [114],
  },
  {
    name: 'user-of-graph-is-not-waited-for',
    sentence:
      "unregister_ftrace_graph() waits for no grace period: a call that has read the user's pointer may call it after its owner has freed it.",
    evidence:
      'shown on 6.12.117 and 7.2.13; kernel/trace/fgraph.c of all three  unregister_ftrace_graph: no synchronize_rcu(), and graph_ops is not FTRACE_OPS_FL_DYNAMIC. The users in the kernel are in its own data.',
    law: noHandlerAfterUnregister,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['fgraph'],
    shows: usesFreed('graph ops', ({ name }) => isClients(name)),
    cause: {
      last: { within: ['function_graph_enter', 'function_graph_enter_regs', 'ftrace_return_to_handler'] },
      freed: { by: 'a client', waits: [[]] },
    },
    scenario: scenario({
      setup: [graph(1)],
      clients: [[{ do: 'unregister_ftrace_graph', gops: 'gops#1' }, kfree('gops#1')]],
    }),
    moves: [51, 57, 57],
  },
  ...KNOWN_DIRECT_MODE,
  ...KNOWN_READERS,
  ...KNOWN_LEAVERS,
  ...KNOWN_DETOURS,
  ...KNOWN_RESTARTED_WALKS,
  ...KNOWN_EMPTIED_FILTERS,
  ...KNOWN_WALKS,
  ...KNOWN_REFUSED_REGISTRATIONS,
  ...KNOWN_FAILED_DETACHES,
  ...KNOWN_MISSES,
  ...KNOWN_TRACEPOINTS,
  ...KNOWN_SHIMMED,
  ...KNOWN_GLOBAL_TASKS,
  ...KNOWN_TASKS_OF_FUNCTION_GRAPH,
  ...KNOWN_MIXING_TASKS,
];

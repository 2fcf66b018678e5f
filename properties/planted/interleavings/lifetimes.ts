import type { Edit } from '../../../model/core/link.ts';
import type { Flavour, Part } from '../../../model/core/part.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { noFetchFromFreedMemory } from '../../task/no-fetch-from-freed-memory.ts';
import { noHandlerAfterUnregister } from '../../task/no-handler-after-unregister.ts';
import { noLookupInAFreedTable } from '../../task/no-lookup-in-a-freed-table.ts';
import { F1, F2, filter, fprobe, kprobe, load } from '../sequences/actions.ts';
import { dropped, edit, PLANTED_PART } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import {
  calls,
  close,
  closeProg,
  kfree,
  open,
  register,
  scenario,
  THROUGH_THE_LIST,
  tracer,
  unregister,
} from './scenarios.ts';
import { waitFor } from './waits.ts';

/** The waits of ftrace_shutdown(), for a dynamic ops. */
const RUDE = 0;
const TASKS = 1;

/** Replaces the waits for an unregistered ops. */
function shutdownWaits(n: number, becomes: readonly Part[]): Edit {
  return edit('ftrace_shutdown', 'the ops may be freed', (part) =>
    part.kind === 'when' ? [{ ...part, parts: part.parts.toSpliced(n, 1, ...becomes) }] : [part],
  );
}

/** An ops is unregistered and freed while a task calls its function. */
const OPS_LEAVES = scenario({
  setup: [...tracer('ops#1'), register('ops#1')],
  clients: [[unregister('ops#1'), kfree('ops#1')]],
});
const UNDER_THE_IDLE_TASK = { ...OPS_LEAVES, callers: [calls('f1', { idle: true })] };

/** A weaker grace period in place of the one that a callback waits for. */
function weaker(routine: string, from: Flavour, to?: Flavour): Edit {
  return edit(routine, `wait for ${from}`, to === undefined ? dropped : () => waitFor(to));
}

/** Planted bugs in the lifetime of what a call may still use. */
export const PLANTED_TASK_LIFETIMES: readonly TaskPlanted[] = [
  {
    name: 'only-rude',
    sentence: 'Unregistering an ops waits for every CPU, but not for tasks preempted in its trampoline.',
    history: undefined,
    law: noFetchFromFreedMemory,
    profile: '6.12',
    edits: [shutdownWaits(TASKS, [])],
    scenario: OPS_LEAVES,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x83: unmapped, at ftrace_callback',
    moves: 32,
  },
  {
    name: 'rcu-for-the-trampoline',
    sentence: 'RCU replaces RCU-tasks before the trampoline of an ops is freed.',
    history: undefined,
    law: noFetchFromFreedMemory,
    profile: '6.12',
    edits: [shutdownWaits(TASKS, waitFor('rcu'))],
    scenario: OPS_LEAVES,
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0+0x83: unmapped, at ftrace_callback',
    moves: 33,
  },
  {
    name: 'only-tasks',
    sentence: 'Unregistering an ops waits for tasks, but not for the idle task, which no RCU flavour sees.',
    history: 'rcu-tasks: Make rude RCU-Tasks work well with CPU hotplug (6.1.16)',
    law: noHandlerAfterUnregister,
    profile: '6.12',
    edits: [shutdownWaits(RUDE, [])],
    scenario: UNDER_THE_IDLE_TASK,
    finding:
      'an object that a call uses is allocated / use after free: ops#1 has been freed (ftrace_callback)',
    moves: 33,
  },
  {
    name: 'rcu-for-the-idle-task',
    sentence: 'RCU replaces RCU-tasks-rude: it does not see a handler that runs in the idle task.',
    history: undefined,
    law: noHandlerAfterUnregister,
    profile: '6.12',
    edits: [shutdownWaits(RUDE, waitFor('rcu'))],
    scenario: UNDER_THE_IDLE_TASK,
    finding:
      'an object that a call uses is allocated / use after free: ops#1 has been freed (ftrace_callback)',
    moves: 34,
  },
  {
    name: 'ops-is-not-waited-for',
    sentence: 'Unregistering an ops waits for no grace period, as if the ops were in static kernel data.',
    history: undefined,
    law: noHandlerAfterUnregister,
    profile: '6.12',
    edits: [edit('ftrace_shutdown', 'the ops may be freed', dropped)],
    scenario: OPS_LEAVES,
    finding:
      'an object that a call uses is allocated / use after free: ops#1 has been freed (ftrace_callback)',
    moves: 31,
  },
  {
    name: 'ops-of-a-trampoline-is-not-waited-for',
    sentence:
      'A BPF trampoline is freed together with its ops while a walk of the ops list may still be at that ops.',
    history: undefined,
    law: noHandlerAfterUnregister,
    profile: '6.12',
    edits: [edit('ftrace_shutdown', 'the ops may be freed', dropped)],
    scenario: scenario({
      setup: [load(1), open(1), closeProg(1), ...tracer('ops#1'), register('ops#1')],
      clients: [[close(1)]],
    }),
    finding: 'an object that a call uses is allocated / NULL pointer: tr(f1).fops has no func any more',
    moves: 29,
  },
  {
    name: 'kprobe-is-not-waited-for',
    sentence: 'unregister_kprobe() returns while a handler may still be running.',
    history: undefined,
    law: noHandlerAfterUnregister,
    profile: '6.12',
    edits: [weaker('unregister_kprobe', 'rcu')],
    scenario: scenario({
      setup: [kprobe(1)],
      clients: [[{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }]],
    }),
    finding:
      'an object that a call uses is allocated / use after free: kprobe#1 has been freed (kprobe_ftrace_handler)',
    moves: 56,
  },
  {
    name: 'fprobe-is-not-waited-for',
    sentence: 'unregister_fprobe() returns while a handler may still be running.',
    history:
      'fprobe: Ensure running fprobe_exit_handler() finished before calling rethook_free() (6.5; 6.4.5)',
    law: noHandlerAfterUnregister,
    profile: '7.2',
    edits: [weaker('unregister_fprobe (fgraph)', 'rcu')],
    scenario: scenario({
      setup: [fprobe(1)],
      clients: [[{ do: 'unregister_fprobe', fprobe: 'fprobe#1' }]],
    }),
    finding:
      'an object that a call uses is allocated / use after free: fprobe#1 has been freed (fprobe_ftrace_entry)',
    moves: 51,
  },
  {
    name: 'fprobe-goes-before-its-ops',
    sentence: 'The data of an fprobe is freed before its ops has been unregistered.',
    history: 'fprobe: Release rethook after the ftrace_ops is unregistered (6.5; 6.4.5; 6.1.40)',
    law: noHandlerAfterUnregister,
    profile: '6.12',
    edits: [
      edit('unregister_fprobe (rethook)', 'rethook_stop', (part) => [
        part,
        {
          kind: 'step',
          id: PLANTED_PART,
          run: (k, locals) => {
            delete (k as Kernel).probes.fprobes[String(locals['fprobe'])];
          },
        },
      ]),
      edit('unregister_fprobe (rethook)', 'forget the fprobe', dropped),
    ],
    scenario: scenario({
      setup: [fprobe(1)],
      clients: [[{ do: 'unregister_fprobe', fprobe: 'fprobe#1' }]],
    }),
    finding:
      'an object that a call uses is allocated / fprobe_handler: an fprobe whose memory was used again is on ftrace_ops_list',
    moves: 6,
  },
  {
    name: 'old-direct-functions-are-freed-at-once',
    sentence: 'A replaced direct_functions is freed while a handler looks up a site in it.',
    history: 'ftrace: Protect direct_functions in ftrace_find_rec_direct (6.12.105)',
    law: noLookupInAFreedTable,
    profile: '7.2',
    edits: [weaker('register_ftrace_direct_cb', 'rcu_tasks')],
    scenario: THROUGH_THE_LIST,
    finding: 'a hash that is being read is allocated / use after free: direct_functions has been freed',
    moves: 30,
  },
  {
    name: 'lookup-without-a-section',
    sentence:
      'ftrace_find_rec_direct() runs outside any read-side section, and the hash is freed after an RCU grace period.',
    history: 'ftrace: Protect direct_functions in ftrace_find_rec_direct (6.12.105)',
    law: noLookupInAFreedTable,
    profile: '7.2, directLookupGuarded = false',
    edits: [
      weaker('register_ftrace_direct_cb', 'rcu_tasks', 'rcu'),
      edit('arch_ftrace_ops_list_func', 'preempt_disable', dropped),
      edit('arch_ftrace_ops_list_func', 'preempt_enable', dropped),
    ],
    scenario: THROUGH_THE_LIST,
    finding: 'a hash that is being read is allocated / use after free: direct_functions has been freed',
    moves: 28,
  },
  {
    name: 'old-hash-is-freed-at-once',
    sentence: 'A replaced filter hash is freed during a walk of the ops list.',
    history: undefined,
    law: noLookupInAFreedTable,
    profile: '6.12',
    edits: [weaker('free_ftrace_hash_rcu', 'rcu')],
    scenario: scenario({
      functions: [F1, F2],
      setup: [...tracer('ops#1'), register('ops#1'), ...tracer('ops#2'), register('ops#2')],
      clients: [[filter('ops#2', 'f2')]],
    }),
    finding:
      'a hash that is being read is allocated / use after free: the filter hash of ops#2 has been freed',
    moves: 22,
  },
];

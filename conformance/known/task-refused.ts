import {
  directCall,
  kfree,
  open,
  PATCHED_ON_THE_LIST,
  registerDirect,
  scenario,
} from '../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, fprobe, graph, kprobe, load } from '../../properties/planted/sequences/actions.ts';
import { noFetchFromFreedMemory } from '../../properties/task/no-fetch-from-freed-memory.ts';
import { noHandlerAfterUnregister } from '../../properties/task/no-handler-after-unregister.ts';
import { noLookupInAFreedTable } from '../../properties/task/no-lookup-in-a-freed-table.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import type { KnownTask } from './task-known.ts';
import type { Shows } from './task-shows.ts';
import { crash, FETCHES_FREED, isClients, seenInstead, usesFreed } from './task-shows.ts';

const USES_A_FREED_IMAGE = usesFreed('image', ({ name }) => name !== '');

/** A handler that is about to run, or one on its way there. */
const USES_A_FREED_FPROBE: Shows = (finding, scenario) =>
  [usesFreed('fprobe', ({ name }) => isClients(name)), crash('reused fprobe')].some((shows) =>
    shows(finding, scenario),
  );

/** A program with an exit joins a live-patched function that another ops traces. */
const PROGRAM_JOINS_A_LIVE_PATCH = scenario({
  setup: [...PATCHED_ON_THE_LIST, load(1, 'fexit')],
  clients: [[open(1)]],
});

/**
 * A direct call of a live-patched function is refused, while calls walk the list with its ops; its owner frees it. There is one
 * of another function: in 6.1 the first one waits, for the table that it replaces.
 */
const FREES_A_REFUSED_OPS = scenario({
  functions: [F1, F2],
  setup: [...PATCHED_ON_THE_LIST, ...directCall(2, 'f2'), registerDirect(2), ...directCall(1)],
  clients: [[registerDirect(1), kfree('direct#1')]],
});

/** ftrace dies over the second function of an fprobe, while calls of the first walk the list; its owner frees it. */
const FTRACE_DIES_OVER_AN_FPROBE = scenario({
  functions: [F1, F2],
  setup: [graph(1), kprobe(1)],
  clients: [
    [
      { do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } },
      { ...fprobe(1, true, false), ips: ['f1', 'f2'] },
      kfree('fprobe#1'),
    ],
  ],
});

/** Breaches of a registration that is refused when its ops is on the list already. */
export const KNOWN_REFUSED_REGISTRATIONS: readonly KnownTask[] = [
  {
    name: 'image-of-a-refused-registration-is-freed-at-once',
    sentence:
      'A program with an exit joins a live-patched function: its first image is refused after calls can find it in direct_functions, and freed at once. A call that found it jumps to freed memory.',
    evidence:
      'kernel/bpf/trampoline.c  bpf_trampoline_update: bpf_tramp_image_free() where register_fentry() answers -EAGAIN, in 6.1 set_memory_nx() and another image in the same page; kernel/trace/ftrace.c  ftrace_startup: ftrace_hash_ipmodify_enable() after __register_ftrace_function()',
    law: noFetchFromFreedMemory,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['directApi', 'imageLifecycle'],
    shows: (finding, scenario) => FETCHES_FREED(finding, scenario) || USES_A_FREED_IMAGE(finding, scenario),
    cause: {
      freed: {
        // By the second, the page is written over with the next image.
        by: ['bpf_tramp_image_free (unused)', 'bpf_trampoline_update'],
        waits: [[], [{ flavour: 'rcu_tasks', task: { condition: 'asleep' } }]],
      },
    },
    scenario: PROGRAM_JOINS_A_LIVE_PATCH,
    moves: [44, 27, 30],
  },
  {
    name: 'refused-registration-bypasses-a-live-patch',
    sentence:
      'A program with an exit joins a live-patched function that another ops traces: its ops is on the list before it is refused, and a call goes through its first image, which calls the body and not the replacement.',
    evidence:
      'shown on 6.1.192, 6.12.117 and 7.2.13 (ftrace ops#2, ftrace ops#1, body f1, program prog#1); kernel/trace/ftrace.c of all three  ftrace_startup: ftrace_hash_ipmodify_enable() after __register_ftrace_function(); kernel/bpf/trampoline.c  bpf_trampoline_update: BPF_TRAMP_F_SHARE_IPMODIFY is set when register_fentry() has answered -EAGAIN',
    law: probesSeeOldOrNew,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['directApi'],
    shows: seenInstead(['replacement'], 0),
    cause: {
      stood: [
        {
          at: 'anywhere',
          did: [{ by: '__register_ftrace_function', within: 'bpf_trampoline_update' }],
        },
      ],
    },
    scenario: PROGRAM_JOINS_A_LIVE_PATCH,
    moves: [43, 41, 41],
  },
  {
    name: 'refused-direct-ops-is-freed-under-a-walk',
    sentence:
      'A direct call of a live-patched function is refused when its ops is on the list already, and nothing waits for a walk that is at it: the owner, for whom it was never registered, frees it.',
    evidence:
      'shown on 6.1.192, 6.12.117 and 7.2.13, which oops in arch_ftrace_ops_list_func(); kernel/trace/ftrace.c of all three  ftrace_startup: __unregister_ftrace_function() where ftrace_hash_ipmodify_enable() fails; ftrace_trampoline_free() waits for RCU only if a trampoline was allocated, and arch_ftrace_update_trampoline() allocates none for an ops that has FTRACE_REGS_ADDR',
    law: noHandlerAfterUnregister,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['directApi'],
    shows: usesFreed('ops', ({ name }) => isClients(name)),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'] },
          did: [{ by: '__unregister_ftrace_function', within: 'ftrace_startup' }],
        },
      ],
    },
    scenario: FREES_A_REFUSED_OPS,
    moves: [16, 17, 16],
  },
  ...[
    {
      name: 'fprobe-that-ftrace-died-over-is-freed-under-a-walk',
      sentence:
        'ftrace dies over the registration of an fprobe, and nothing waits for a walk that is at its ops: the owner, for whom it was never registered, frees it.',
      law: noHandlerAfterUnregister,
      shows: USES_A_FREED_FPROBE,
      by: '__unregister_ftrace_function',
      shown: 'shown on 6.12.117, which oopses in arch_ftrace_ops_list_func(); ',
      moves: [25],
    },
    {
      name: 'filter-of-an-fprobe-that-ftrace-died-over-is-freed-while-it-is-read',
      sentence: 'Its filter is freed before that, while the walk looks up the function in it.',
      law: noLookupInAFreedTable,
      shows: usesFreed('hash', ({ which, ops }) => which === 'filter' && isClients(ops)),
      by: 'ftrace_free_filter',
      shown: '',
      moves: [21],
    },
  ].map(
    ({ name, sentence, law, shows, by, shown, moves }): KnownTask => ({
      name,
      sentence,
      evidence: `${shown}kernel/trace/fprobe.c of 6.12  register_fprobe_ips, fprobe_fail_cleanup: ftrace_free_filter(); kernel/trace/ftrace.c  ftrace_startup: where ftrace is dead, __unregister_ftrace_function() and nothing else`,
      law,
      kernels: ['6.12'],
      others: ['6.1', '7.2'],
      restsOn: ['fprobe'],
      shows,
      cause: {
        stood: [
          {
            at: { within: ['arch_ftrace_ops_list_func'] },
            did: [{ by, within: 'register_fprobe_ips (rethook)' }],
          },
        ],
      },
      scenario: FTRACE_DIES_OVER_AN_FPROBE,
      moves,
    }),
  ),
];

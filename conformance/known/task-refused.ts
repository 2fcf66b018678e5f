import {
  livePatchOn,
  open,
  register,
  scenario,
  tracer,
} from '../../properties/planted/interleavings/scenarios.ts';
import { load } from '../../properties/planted/sequences/actions.ts';
import { noFetchFromFreedMemory } from '../../properties/task/no-fetch-from-freed-memory.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { ALL_SECTIONS } from './task-causes.ts';
import type { KnownTask } from './task-known.ts';
import { FETCHES_FREED, seenInstead, usesFreed } from './task-shows.ts';

const USES_A_FREED_IMAGE = usesFreed('image', ({ name }) => name !== '');

/** A program with an exit joins a live-patched function that another ops traces. */
const PROGRAM_JOINS_A_LIVE_PATCH = scenario({
  setup: [
    ...livePatchOn('ops#1'),
    register('ops#1'),
    ...tracer('ops#2'),
    register('ops#2'),
    load(1, 'fexit'),
  ],
  clients: [[open(1)]],
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
        by: 'bpf_tramp_image_free (unused)',
        waits: [[], [{ flavour: 'rcu_tasks', task: { lacks: ALL_SECTIONS, condition: 'asleep' } }]],
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
];

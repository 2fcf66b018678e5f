import { DIRECT_OPS } from '../../model/trampoline/designs/multi-trampoline.ts';
import {
  close,
  directCall,
  open,
  PATCHED_ON_THE_LIST,
  register,
  registerDirect,
  scenario,
  tracer,
  unregister,
} from '../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, filter, graph, kprobe, load } from '../../properties/planted/sequences/actions.ts';
import { noHandlerAfterUnregister } from '../../properties/task/no-handler-after-unregister.ts';
import { noWarnAndNoOops } from '../../properties/task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import type { KnownTask } from './task-known.ts';
import { LAST_PROGRAM_BESIDE_AN_OPS } from './task-readers.ts';
import { crash, found, seenInstead, warnsOf } from './task-shows.ts';

/** A direct call is refused because of a live patch, when its ops is already on the list. */
const REFUSED_ON_THE_LIST = scenario({
  setup: [...PATCHED_ON_THE_LIST, ...directCall(1)],
  clients: [[registerDirect(1)]],
});

/** Registering a direct call by an ops, or with the first sites of a table (7.2). */
const REFUSES_A_DIRECT_CALL: readonly string[] = ['register_ftrace_direct', 'update_ftrace_direct_add'];

/** A task is in ftrace_regs_caller, and the call in it is patched. */
const ITS_CALL_IS_PATCHED: KnownTask['cause'] = {
  stood: [
    {
      at: { within: ['ftrace_regs_caller'] },
      did: [{ by: 'text_poke_bp_batch', within: 'update_ftrace_func' }],
    },
  ],
};

/**
 * Known breaches of walks of the ops list, and of calls on their way through an image or a call site, while it
 * changes.
 */
export const KNOWN_WALKS: readonly KnownTask[] = [
  {
    name: 'graph-user-is-called-beyond-its-filter',
    sentence:
      "A task is preempted in ftrace_regs_caller before its call; the other ops are unregistered, the call is patched to the last one's func, and function graph gets a function that it does not trace.",
    evidence:
      'kernel/trace/ftrace.c of 6.12 and 7.2  ftrace_modify_all_code, update_ftrace_function: no wait for tasks between ftrace_ops_list_func and the func of a single ops; kernel/trace/fgraph.c  function_graph_enter_regs: fgraph_direct_gops is not tested',
    law: probesSeeOldOrNew,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    restsOn: ['fgraph'],
    shows: found('unpromised-event', ({ event }) => event.kind === 'graph entry'),
    cause: ITS_CALL_IS_PATCHED,
    scenario: scenario({
      functions: [F1, F2],
      setup: [filter('gops#1.ops', 'f2'), graph(1), kprobe(1), ...tracer('ops#1'), register('ops#1')],
      clients: [[{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }, unregister('ops#1')]],
    }),
    moves: [62, 64],
  },
  {
    name: 'only-graph-user-is-called-beyond-its-filter',
    sentence:
      "The same until 6.10: with the last other ops, function graph's entry is that which tests no filter, and the call of the task is patched to its func.",
    evidence:
      'shown on 6.1.192, with the task stopped before its call: the only user of function graph sees a function that is not in its filter; kernel/trace/fgraph.c of 6.1  update_function_graph_func, from kernel/trace/ftrace.c  update_ftrace_function: no wait for tasks in between',
    law: probesSeeOldOrNew,
    kernels: ['6.1'],
    others: ['6.12', '7.2'],
    restsOn: ['fgraph'],
    shows: found('unpromised-event', ({ event }) => event.kind === 'graph entry'),
    cause: ITS_CALL_IS_PATCHED,
    scenario: scenario({
      functions: [F1, F2],
      setup: [
        { do: 'set_ftrace_filter', glob: 'f2', remove: false },
        graph(1),
        kprobe(1),
        ...tracer('ops#1'),
        register('ops#1'),
      ],
      clients: [[{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }, unregister('ops#1')]],
    }),
    moves: [71],
  },
  {
    name: 'ftrace-dies-of-direct-ops-without-a-func',
    sentence:
      'The last program is detached, and a walk of the ops list finds direct_ops without a func: ftrace warns and disables itself.',
    evidence:
      'kernel/trace/ftrace.c of 7.2  update_ftrace_direct_del: ops->func = NULL after ftrace_shutdown(); __ftrace_ops_list_func: FTRACE_WARN_ON(!op->func)',
    law: noWarnAndNoOops,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    restsOn: ['directApi', 'singleDirectOps'],
    shows: warnsOf('ops without func', ({ ops }) => ops === DIRECT_OPS),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'] },
          did: [{ by: 'update_ftrace_direct_del', part: 'reset the ops', ops: [DIRECT_OPS] }],
        },
      ],
    },
    scenario: LAST_PROGRAM_BESIDE_AN_OPS,
    moves: [36],
  },
  {
    name: 'refused-direct-call-is-reset-on-the-list',
    sentence:
      'A direct call, of a client or of a trampoline, is refused when its ops is already registered: its func is set to NULL while a walk of the list is about to call it.',
    evidence:
      'kernel/trace/ftrace.c of 6.12 and 7.2  register_ftrace_direct, reset_direct: ops->func = NULL, with no wait; ftrace_startup: ftrace_hash_ipmodify_enable() after __register_ftrace_function()',
    law: noHandlerAfterUnregister,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    variants: ['generic'],
    restsOn: ['directApi', 'directReset'],
    shows: crash('ops without func'),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'] },
          did: [{ by: REFUSES_A_DIRECT_CALL, part: 'reset the ops' }],
        },
      ],
    },
    scenario: REFUSED_ON_THE_LIST,
    moves: [17, 16],
  },
  {
    name: 'ftrace-dies-of-a-refused-direct-call',
    sentence: 'The same for a walk that has not read the func yet: ftrace warns and disables itself.',
    evidence:
      'kernel/trace/ftrace.c of 6.12 and 7.2  reset_direct; __ftrace_ops_list_func: FTRACE_WARN_ON(!op->func)',
    law: noWarnAndNoOops,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    variants: ['generic'],
    restsOn: ['directApi', 'directReset'],
    shows: warnsOf('ops without func'),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'] },
          did: [{ by: REFUSES_A_DIRECT_CALL, part: 'reset the ops' }],
        },
      ],
    },
    scenario: REFUSED_ON_THE_LIST,
    moves: [16, 15],
  },
  {
    name: 'session-sees-only-the-return',
    sentence:
      'A session is detached: its entry half is patched out of the image first, its exit half afterwards. A call in between sees the return without the entry.',
    evidence:
      'kernel/bpf/trampoline.c of 7.2  bpf_trampoline_skip_prog: the places one after the other, in the order of the image; arch/x86/net/bpf_jit_comp.c  invoke_bpf_prog',
    law: probesSeeOldOrNew,
    kernels: ['7.2'],
    others: [],
    lacks: ['6.1', '6.12'],
    restsOn: ['imageLifecycle'],
    shows: found('return-without-entry', ({ event }) => event.kind === 'program'),
    cause: {
      stood: [{ at: 'anywhere', did: [{ by: 'text_poke_bp_batch', within: 'bpf_trampoline_skip_prog' }] }],
    },
    scenario: scenario({ setup: [load(1, 'fsession'), open(1)], clients: [[close(1)]] }),
    moves: [19],
  },
  {
    name: 'kprobe-is-not-armed-beside-a-busy-trampoline',
    sentence:
      'A kprobe with a post_handler is registered while a program is being detached: the trampoline is busy and returns EAGAIN, the kprobe is not armed, and register_kprobe() returns 0.',
    evidence:
      'shown on 7.2.13, 69 of 150 times, and never on 6.12.117; kernel/kprobes.c of 7.2  __register_kprobe: return 0 whatever arm_kprobe() answered; kernel/bpf/trampoline.c  bpf_tramp_ftrace_ops_func: -EAGAIN when the lock is taken',
    law: probesSeeOldOrNew,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    restsOn: ['kprobeErrorLost'],
    shows: seenInstead(['kprobe'], 0, (_, __, unarmed) => unarmed),
    cause: {
      stood: [
        {
          at: 'anywhere',
          did: [{ by: 'bpf_tramp_ftrace_ops_func', within: 'register_kprobe', refused: 'EAGAIN' }],
        },
      ],
    },
    scenario: scenario({ setup: [load(1), open(1)], clients: [[kprobe(1, true)], [close(1)]] }),
    moves: [27],
  },
];

import { GRAPH_OPS } from '../../model/ftrace/ops.ts';
import { DIRECT_OPS } from '../../model/trampoline/designs/multi-trampoline.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import {
  close,
  directCall,
  open,
  PATCHED_ON_THE_LIST,
  register,
  registerDirect,
  scenario,
  tracer,
} from '../../properties/planted/interleavings/scenarios.ts';
import { F1, F2, filter, fprobe, graph, load } from '../../properties/planted/sequences/actions.ts';
import { noHandlerAfterUnregister } from '../../properties/task/no-handler-after-unregister.ts';
import { noLookupInAFreedTable } from '../../properties/task/no-lookup-in-a-freed-table.ts';
import { IN_ITS_CALL } from './task-causes.ts';
import type { KnownTask } from './task-known.ts';
import { crash, isClients, usesFreed } from './task-shows.ts';

/** The first and the last of these are in the same of 32 buckets. */
const SAME_LIST = Array.from({ length: 16 }, (_, i) => tracedFunction(`f${i + 1}`, i + 1, 'u64 -> u64'));

/**
 * The last direct call is unregistered while an ops traces the same function, so that calls walk the list with both.
 */
export const LAST_PROGRAM_BESIDE_AN_OPS = scenario({
  setup: [load(1), open(1), ...tracer('ops#1'), register('ops#1')],
  clients: [[close(1)]],
});

/** A direct call of a table of sites is refused for a live patch, while calls walk the list. */
export const TABLE_REFUSED_ON_THE_LIST = scenario({
  setup: PATCHED_ON_THE_LIST,
  clients: [[{ do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1' } }]],
});

/** Known breaches of readers of something that changes or is freed, and that no grace period waits for. */
export const KNOWN_READERS: readonly KnownTask[] = [
  {
    name: 'exit-handler-of-another-fprobe',
    sentence:
      'A task sleeps in a function; its fprobe is unregistered and freed, and another one without an exit handler is registered at the same address: on its return, the task takes the new fprobe for the old one and calls its NULL handler.',
    evidence:
      'shown on 7.2.13, which panics in fprobe_return(); kernel/trace/fprobe.c of 7.2  fprobe_return, fprobe_registered: an fprobe is identified by its address; unregister_fprobe waits for RCU, not for calls',
    law: noHandlerAfterUnregister,
    kernels: ['7.2'],
    others: ['6.12'],
    lacks: ['6.1'],
    restsOn: ['fprobe'],
    shows: crash('fprobe without exit handler', ({ fprobe: name }) => isClients(name)),
    cause: {
      last: { within: ['fprobe_return'] },
      stood: [
        { at: IN_ITS_CALL, did: [{ by: 'unregister_fprobe (fgraph)', part: 'leave the tables' }] },
        { at: IN_ITS_CALL, did: [{ by: 'register_fprobe_ips (fgraph)', part: 'enter the tables' }] },
      ],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [fprobe(1, true, true), fprobe(2, true, true, 'f2')],
      clients: [[{ do: 'unregister_fprobe', fprobe: 'fprobe#1' }, fprobe(1)]],
    }),
    moves: [80],
  },
  {
    name: 'direct-ops-is-reset-on-the-list',
    sentence:
      'The last program is detached: direct_ops is static kernel data, so no walk of the ops list is waited for, and a walk that is at direct_ops finds its func NULL.',
    evidence:
      'kernel/trace/ftrace.c of 7.2  update_ftrace_direct_del: ops->func = NULL after ftrace_shutdown(), which waits only for FTRACE_OPS_FL_DYNAMIC; kernel/bpf/trampoline.c  direct_ops',
    law: noHandlerAfterUnregister,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    restsOn: ['directApi', 'singleDirectOps'],
    shows: crash('ops without func', ({ ops }) => ops === DIRECT_OPS),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'] },
          did: [{ by: 'update_ftrace_direct_del', part: 'reset the ops', ops: [DIRECT_OPS] }],
        },
      ],
    },
    scenario: LAST_PROGRAM_BESIDE_AN_OPS,
    moves: [37],
  },
  {
    name: 'filter-of-direct-ops-is-freed-while-it-is-read',
    sentence: 'The same for a reader of the filter of direct_ops, which is freed at once.',
    evidence: 'kernel/trace/ftrace.c of 7.2  update_ftrace_direct_del: ftrace_free_filter()',
    law: noLookupInAFreedTable,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    restsOn: ['directApi', 'singleDirectOps'],
    shows: usesFreed('hash', ({ which, ops }) => which === 'filter' && ops === DIRECT_OPS),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'], ops: ['direct_ops'] },
          did: [{ by: 'update_ftrace_direct_del', part: 'ftrace_free_filter' }],
        },
      ],
    },
    scenario: LAST_PROGRAM_BESIDE_AN_OPS,
    moves: [37],
  },
  {
    name: 'filter-of-a-refused-direct-call-is-freed-while-it-is-read',
    sentence:
      'A direct call of a table of sites is refused after its ops was on the list: the filter is freed at once, while a walk of the list reads it.',
    evidence:
      'kernel/trace/ftrace.c of 7.2  update_ftrace_direct_add: free_ftrace_hash() of the new filter where register_ftrace_function_nolock() fails; ftrace_startup: ftrace_hash_ipmodify_enable() after __register_ftrace_function(). The machine code of 7.2.13 has this order in both, and no call that waits between __unregister_ftrace_function() and free_ftrace_hash()',
    law: noLookupInAFreedTable,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    restsOn: ['directApi', 'directReset'],
    shows: usesFreed('hash', ({ which }) => which === 'filter'),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'] },
          did: [{ by: 'update_ftrace_direct_add', part: 'free the new filter' }],
        },
      ],
    },
    scenario: TABLE_REFUSED_ON_THE_LIST,
    moves: [19],
  },
  {
    name: 'filter-of-graph-ops-is-freed-while-it-is-read',
    sentence:
      'The last user of function graph unregisters: graph_ops is static kernel data, and its filter is freed at once while a walk of the ops list reads it.',
    evidence:
      'kernel/trace/ftrace.c of 6.12 and 7.2  ftrace_shutdown_subops: free_ftrace_hash() after ftrace_shutdown()',
    law: noLookupInAFreedTable,
    kernels: ['6.12', '7.2'],
    others: ['6.1'],
    restsOn: ['fgraph'],
    shows: usesFreed('hash', ({ which, ops }) => which === 'filter' && ops === GRAPH_OPS),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'], ops: ['graph_ops'] },
          did: [{ by: 'ftrace_shutdown_subops', part: 'free the hashes' }],
        },
      ],
    },
    scenario: scenario({
      setup: [filter('gops#1.ops'), graph(1), ...tracer('ops#1'), register('ops#1')],
      clients: [[{ do: 'unregister_ftrace_graph', gops: 'gops#1' }]],
    }),
    moves: [26, 26],
  },
  {
    name: 'filter-of-fprobes-is-freed-while-it-is-read',
    sentence: 'The same for the ops that all fprobes without an exit handler share.',
    evidence:
      'kernel/trace/fprobe.c of 7.2  __fprobe_ftrace_unregister: ftrace_free_filter() after unregister_ftrace_function()',
    law: noLookupInAFreedTable,
    kernels: ['7.2'],
    others: ['6.12'],
    lacks: ['6.1'],
    restsOn: ['fprobe'],
    shows: usesFreed('hash', ({ which, ops }) => which === 'filter' && ops === 'fprobe_ftrace_ops'),
    cause: {
      stood: [
        {
          at: { within: ['arch_ftrace_ops_list_func'], ops: ['fprobe_ftrace_ops'] },
          did: [{ by: 'ftrace_free_filter', part: 'free both hashes' }],
        },
      ],
    },
    scenario: scenario({
      setup: [fprobe(1), ...tracer('ops#1'), register('ops#1')],
      clients: [[{ do: 'unregister_fprobe', fprobe: 'fprobe#1' }]],
    }),
    moves: [25],
  },
  {
    name: 'direct-entry-is-freed-during-a-lookup',
    sentence:
      'A direct call is unregistered, and its entry of direct_functions is freed at once while a removal of another function from a filter is at it: both are in the same bucket.',
    evidence:
      'kernel/trace/ftrace.c of all three  remove_direct_functions_hash: kfree() with direct_mutex; ftrace_find_rec_direct in ftrace_replace_code with ftrace_lock',
    law: noLookupInAFreedTable,
    kernels: ['6.1', '6.12', '7.2'],
    others: [],
    restsOn: ['directApi', 'directReset'],
    shows: usesFreed('direct entry', ({ ip }) => ip !== ''),
    cause: {
      stood: [
        {
          at: { within: ['ftrace_replace_code'] },
          did: [{ by: 'unregister_ftrace_direct', part: 'remove the direct calls' }],
        },
      ],
    },
    scenario: scenario({
      functions: SAME_LIST,
      setup: [
        ...directCall(1, 'f16'),
        registerDirect(1),
        ...directCall(2),
        registerDirect(2),
        ...tracer('ops#1', 'f16'),
        filter('ops#1', 'f2'),
        register('ops#1'),
      ],
      clients: [
        [{ do: 'unregister_ftrace_direct', ops: 'direct#2', addr: 'my_tramp2', freeFilters: true }],
        [{ do: 'ftrace_set_filter_ip', ops: 'ops#1', ip: 'f16', remove: true, reset: false }],
      ],
      callers: [],
    }),
    moves: [23, 23, 23],
  },
];

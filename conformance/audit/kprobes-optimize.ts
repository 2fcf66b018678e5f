import { DETOUR_ALWAYS, DISASSEMBLED, NOT_ALL_DISARMED, NOT_OUTER_LOCKS, READ_IN_6_12 } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import {
  ALL,
  branches,
  defers,
  gotos,
  locks,
  modelled,
  omitted,
  returns,
  UNTIL_6_12,
  V7_2,
  waits,
} from './row.ts';

const RETURNS_AT = 'model/ftrace/optprobe.ts';

/** Optimised kprobes, kernel/kprobes.c. */
export const OPTIMIZING: readonly AuditedFunction[] = [
  {
    fn: 'optimize_kprobe',
    in: ALL,
    basis: READ_IN_6_12,
    rows: [
      returns(
        ALL,
        'no detour was made, optimisation is not allowed, the kprobe is disabled, or has a post_handler',
        modelled('optimize_kprobe: it gets no jump'),
      ),
      returns(ALL, 'kprobes_all_disarmed', omitted(NOT_ALL_DISARMED)),
      returns(
        ALL,
        'arch_check_optimized_kprobe(): a kprobe is armed among the instructions',
        modelled('optimize_kprobe: a kprobe is armed among its instructions'),
      ),
      returns(
        ALL,
        'KPROBE_FLAG_OPTIMIZED; one that waits to be unoptimised is dequeued',
        modelled('optimize_kprobe: it has one already'),
      ),
      returns(ALL, 'none, with a WARN: it is on a list', modelled(`${RETURNS_AT} queueToOptimize`)),
      defers(ALL, 'kick_kprobe_optimizer()', modelled('optimize_kprobe: kick the optimiser')),
    ],
  },
  {
    fn: 'unoptimize_kprobe',
    in: ALL,
    basis: READ_IN_6_12,
    rows: [
      returns(
        ALL,
        'no aggregate, disarmed, or not KPROBE_FLAG_OPTIMIZED',
        modelled('unoptimize_kprobe: it is not optimised'),
      ),
      branches(
        ALL,
        'force: arch_unoptimize_kprobe() at once; one that waits to be unoptimised moves to freeing_list',
        modelled('unoptimize_kprobe: it has no jump'),
      ),
      defers(ALL, 'kick_kprobe_optimizer()', modelled('unoptimize_kprobe: kick the optimiser')),
    ],
  },
  {
    fn: 'kprobe_optimizer',
    in: ALL,
    basis: DISASSEMBLED,
    rows: [
      locks(ALL, 'kprobe_mutex: the whole work', modelled('kprobe_optimizer: lock kprobe_mutex')),
      locks(
        ALL,
        'cpus_read_lock() and text_mutex: until the kprobes are freed',
        modelled('kprobe_optimizer: lock text_mutex'),
      ),
      waits(ALL, 'synchronize_rcu_tasks()', modelled('kprobe_optimizer: wait for rcu_tasks')),
      branches(
        V7_2,
        'do_free_cleaned_kprobes(): a kprobe that one has kept from its jump is queued',
        modelled('kprobe_optimizer: one was kept from its jump'),
      ),
      branches(
        ALL,
        'do_free_cleaned_kprobes(): a WARN, one of freeing_list is in use again',
        omitted('none is: do_unoptimize_kprobes() takes it off the list'),
      ),
      defers(
        ALL,
        'free_aggr_kprobe(): the slot is dirty, and given back by collect_garbage_slots() after synchronize_rcu()',
        modelled('kprobe_optimizer: give its slot back'),
      ),
      defers(
        UNTIL_6_12,
        'kick_kprobe_optimizer(): a list is not empty',
        omitted('it works off the lists with kprobe_mutex held, without which none gets longer'),
      ),
    ],
  },
  {
    fn: 'free_optinsn_slot',
    in: ALL,
    basis: READ_IN_6_12,
    rows: [
      locks(ALL, 'kprobe_optinsn_slots.mutex', omitted(NOT_OUTER_LOCKS)),
      waits(
        ALL,
        'synchronize_rcu() of collect_garbage_slots(), when a page of slots is dirty',
        modelled('free_optinsn_slot: wait for rcu_tasks'),
      ),
    ],
  },
  {
    fn: 'proc_kprobes_optimization_handler',
    in: ALL,
    basis: READ_IN_6_12,
    rows: [
      locks(ALL, 'kprobe_sysctl_mutex', omitted(NOT_OUTER_LOCKS)),
      locks(
        ALL,
        'kprobe_mutex: optimize_all_kprobes(), unoptimize_all_kprobes()',
        modelled('proc_kprobes_optimization_handler: lock kprobe_mutex'),
      ),
      gotos(
        ALL,
        'out, and a return: nothing changes',
        modelled('proc_kprobes_optimization_handler: nothing changes'),
      ),
      waits(
        ALL,
        'wait_for_kprobe_optimizer(): until no kprobe is queued',
        modelled('proc_kprobes_optimization_handler: wait for rcu_tasks'),
      ),
    ],
  },
  {
    fn: 'try_to_optimize_kprobe',
    in: ALL,
    basis: READ_IN_6_12,
    rows: [
      returns(ALL, 'the kprobe is armed through ftrace', omitted(DETOUR_ALWAYS)),
      locks(
        ALL,
        'cpus_read_lock(), jump_label_mutex, text_mutex: the detour, and the queue',
        modelled('register_kprobe: lock text_mutex (3)'),
      ),
      gotos(ALL, 'out: no memory for an aggregate', omitted(DETOUR_ALWAYS)),
      gotos(
        ALL,
        'out: no detour could be made; the kprobe keeps its int3',
        modelled(`${RETURNS_AT} prepareOptprobe`),
      ),
    ],
  },
  {
    fn: 'add_new_kprobe',
    in: ALL,
    basis: READ_IN_6_12,
    rows: [
      branches(
        ALL,
        'a post_handler: unoptimize_kprobe() at once, under the text_mutex of register_aggr_kprobe()',
        modelled('register_kprobe: lock text_mutex'),
      ),
    ],
  },
  {
    fn: '__unregister_kprobe_bottom',
    in: ALL,
    basis: READ_IN_6_12,
    rows: [
      branches(
        ALL,
        'free_aggr_kprobe(): the last kprobe of an aggregate that the optimiser does not have; the slot is dirty',
        modelled('unregister_kprobe: give its slot back'),
      ),
    ],
  },
];

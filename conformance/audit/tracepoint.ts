import { DISASSEMBLED, NO_MEMORY_LEFT, NO_REGFUNC } from './reasons.ts';
import type { Audit } from './row.ts';
import {
  ALL,
  allocates,
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

/** One table on purpose: the states of a tracepoint are one protocol. */
export const TRACEPOINT: Audit = {
  file: 'kernel/tracepoint.c',
  functions: [
    {
      fn: 'tracepoint_probe_register_prio',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        locks(
          ALL,
          'tracepoints_mutex: all of tracepoint_add_func(), its waits included',
          modelled('tracepoint_probe_register_prio: lock tracepoints_mutex'),
        ),
      ],
    },
    {
      fn: 'tracepoint_probe_register_prio_may_exist',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        locks(
          ALL,
          'tracepoints_mutex: the same, for bpf_probe_register(), which wants no WARN',
          modelled('tracepoint_probe_register_prio: lock tracepoints_mutex'),
        ),
      ],
    },
    {
      fn: 'tracepoint_probe_unregister',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        locks(
          ALL,
          'tracepoints_mutex: all of tracepoint_remove_func(), its waits included',
          modelled('tracepoint_probe_unregister: lock tracepoints_mutex'),
        ),
      ],
    },
    {
      fn: 'allocate_probes',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        allocates(
          ALL,
          'struct tp_probes with an array for all probes and the NULL after them',
          modelled('allocate_probes: allocate the new array'),
        ),
      ],
    },
    {
      fn: 'func_add',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        returns(
          ALL,
          'EINVAL with a WARN: the probe has no function',
          omitted('each call of the model names a probe that exists, or the stub of the tracepoint'),
        ),
        returns(
          ALL,
          'EEXIST: function and data are in the array already; entries with tp_stub_func() are skipped',
          modelled('tracepoint_add_func: the probe is there'),
        ),
        returns(
          ALL,
          'ENOMEM: no memory for the larger array',
          modelled('allocate_probes: allocate the new array'),
        ),
      ],
    },
    {
      fn: 'tracepoint_add_func',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        returns(ALL, 'the errno of regfunc(), while the key is off', omitted(NO_REGFUNC)),
        returns(
          ALL,
          'the errno of func_add(), with a WARN for EEXIST unless the caller wants none',
          modelled('tracepoint_add_func: the probe is there', 'allocate_probes: allocate the new array'),
        ),
        gotos(
          ALL,
          'none, before that return: unregfunc() takes regfunc() back, while the key is off',
          omitted(NO_REGFUNC),
        ),
        waits(
          ALL,
          'tp_rcu_cond_sync(1->0->1), before the static call becomes that of the first probe',
          modelled('tp_rcu_cond_sync: wait for rcu'),
        ),
        returns(
          ALL,
          'none, a WARN: the new array has no probe',
          omitted('func_add() has just put one into it; the branch cannot be taken'),
        ),
      ],
    },
    {
      fn: 'func_remove',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        returns(
          ALL,
          'ENOENT: the tracepoint has no array',
          modelled('tracepoint_remove_func: the tracepoint has no probes'),
        ),
        returns(
          ALL,
          'the old array: no probe but this one and stubs is left, so that tp->funcs becomes NULL without memory',
          modelled('release_probes: free it in the background'),
        ),
        allocates(
          ALL,
          'a smaller array, also where the probe is not in the old one; without memory tp_stub_func() takes the place of the probe',
          modelled('tracepoint_remove_func: there is no memory'),
        ),
      ],
    },
    {
      fn: 'tracepoint_remove_func',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        returns(
          ALL,
          'ENOENT with a WARN: func_remove() found no array',
          modelled('tracepoint_remove_func: the tracepoint has no probes'),
        ),
        returns(
          ALL,
          '0: the array is the old one, with a stub in it',
          modelled('tracepoint_remove_func: there is no memory'),
        ),
        waits(
          ALL,
          'tp_rcu_cond_sync(N->2->1), after tp->funcs has one probe and before the static call becomes its own',
          modelled('tp_rcu_cond_sync: wait for rcu'),
        ),
        returns(
          ALL,
          'none, a WARN: nr_func_state() has another answer',
          omitted('its four answers are the four cases; the branch cannot be taken'),
        ),
      ],
    },
    {
      fn: 'tp_rcu_get_state',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        defers(
          ALL,
          'get_state_synchronize_rcu(), and start_poll_synchronize_srcu() of tracepoint_srcu: one grace period here, since a section of tracepoint_srcu counts as one of RCU',
          modelled('tp_rcu_get_state: its grace period'),
        ),
      ],
    },
    {
      fn: 'tp_transition_snapshot',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        waits(
          ALL,
          'struct tp_transition_snapshot: its two grace periods, which pass in the background until they are polled',
          modelled('tp_transition_snapshot: wait for rcu'),
        ),
      ],
    },
    {
      fn: 'tp_rcu_cond_sync',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        returns(ALL, 'at once: no snapshot is ongoing', modelled('tp_rcu_cond_sync: no snapshot is ongoing')),
        waits(
          ALL,
          'cond_synchronize_rcu(), which returns at once if the grace period of the snapshot has passed',
          modelled('tp_rcu_cond_sync: wait for rcu'),
        ),
        waits(
          ALL,
          'synchronize_srcu() of tracepoint_srcu unless its grace period has passed: the same wait, since a section of tracepoint_srcu counts as one of RCU',
          modelled('tp_rcu_cond_sync: wait for rcu'),
        ),
      ],
    },
    {
      fn: 'release_probes',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        returns(ALL, 'at once: there was no array', modelled('release_probes: there is none')),
        returns(
          UNTIL_6_12,
          'the array goes to early_probes: SRCU is not initialised yet',
          omitted('no client runs before postcore_initcall() has set ok_to_free_tracepoints'),
        ),
        defers(
          UNTIL_6_12,
          'call_rcu() of the array, whose callback calls call_srcu()',
          modelled('release_probes: free it in the background', 'rcu_free_old_probes: wait for rcu'),
        ),
        defers(
          V7_2,
          'call_srcu() of tracepoint_srcu, or call_rcu_tasks_trace() for a tracepoint that may fault',
          modelled(
            'release_probes: free it in the background',
            'rcu_free_old_probes: wait for rcu',
            'rcu_free_old_probes: wait for rcu_tasks_trace',
          ),
        ),
      ],
    },
    {
      fn: 'rcu_free_old_probes',
      in: ALL,
      basis: DISASSEMBLED,
      rows: [
        defers(
          UNTIL_6_12,
          'call_srcu() of tracepoint_srcu, after the grace period of RCU',
          omitted(
            'only sites in idle code have a section of tracepoint_srcu up to 6.12: docs/scope.md excludes them',
          ),
        ),
        returns(V7_2, 'none: it frees the array', omitted(NO_MEMORY_LEFT)),
      ],
    },
  ],
};
